import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { startReceiver } from '../../support/sandbox/receiver.mts';
import { asObject } from '../../support/sandbox/contract.mts';
import { newAssistant } from '../../support/sandbox/seed.mts';
import { startStubServer } from '../../support/n8n/stubServer.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import {
	SECOND_N8N_URL,
	failureOf,
	startTriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const elsewhere = await startReceiver();
beforeEach(() => elsewhere.clear());
afterAll(() => elsewhere.close());

/** A trigger that is registered in production. */
async function live() {
	const node = new TriggerNode(environment.instance());
	const data = {};
	await node.hook('create', 'production', data);
	return { node, data };
}

describe('an assistant that is gone', () => {
	const GONE =
		/^The assistant with the ID \d+ does not exist in this account\. .+ Choose another assistant\.$/;

	it.each(['production', 'test'] as const)('is named when %s registers', async (kind) => {
		const node = new TriggerNode(environment.instance(), { parameters: onAssistant(999) });
		const asked = await environment.requestedOperations(async () => {
			expect(await node.hook('checkExists', kind, {})).toBe(false);
			const { message } = await failureOf(node.hook('create', kind, {}));
			expect(message).toMatch(GONE);
			expect(await node.hook('delete', kind, {})).toBe(true);
		});
		expect(asked).toEqual(Array<string>(3).fill('listAssistants'));
		expect(node.instance.warnings).toEqual([]);
	});

	it("is the same when it is another account's", async () => {
		const node = new TriggerNode(environment.instance(), { parameters: onAssistant(101) });
		const { message } = await failureOf(node.hook('create', 'production', {}));
		expect(message).toMatch(GONE);
	});

	it('is the same when the list still shows it as deleted', async () => {
		const node = new TriggerNode(environment.instance());
		const deleted = {
			...(await environment.assistant()),
			deleted_at: '2026-03-01T00:00:00.000000Z',
		};
		const list = { current_page: 1, last_page: 1, data: [deleted] };
		await environment.fault('listAssistants', { body: list });
		const { message } = await failureOf(node.hook('create', 'production', {}));
		expect(message).toMatch(GONE);
		expect(await node.hook('delete', 'production', {})).toBe(true);
	});
});

describe('an assistant beyond the first page of the list', () => {
	it('is found', async () => {
		const { alice } = environment.service;
		const added: unknown[] = [];
		for (let count = 0; count < 100; count++) {
			const { body } = await alice.post('/user/assistant', newAssistant);
			added.push(asObject(asObject(body, 'answer').data, 'summary').id);
		}
		const pages = ['listAssistants', 'listAssistants'];
		const askedFor = async (id: unknown) => {
			const node = new TriggerNode(environment.instance(), { parameters: onAssistant(Number(id)) });
			return await environment.requestedOperations(() => node.hook('create', 'production', {}));
		};
		const asked = [await askedFor(1), await askedFor(added.at(-1))];
		expect(asked).toContainEqual([...pages, 'updateAssistant', ...pages]);
		expect(asked).toContainEqual(['listAssistants', 'updateAssistant', 'listAssistants']);
	});
});

describe('an assistant that is not an ID', () => {
	it.each(['../calls', '1?x=1', '0', '1e3', '-1', '={{ "1 or 2" }}'])(
		'is refused before anything is sent: %s',
		async (id) => {
			const node = new TriggerNode(environment.instance(), { parameters: onAssistant(id) });
			const asked = await environment.requestedOperations(async () => {
				const { message } = await failureOf(node.hook('create', 'production', {}));
				expect(message).toMatch(
					/^'Assistant' must be an ID, a whole number from 1\. The value is: .+\. Choose an assistant\.$/,
				);
				expect(await node.hook('delete', 'production', {})).toBe(false);
			});
			expect(asked).toEqual([]);
		},
	);

	it.each(['', '={{ undefined }}', '={{ null }}'])(
		'is requested if it is empty: %s',
		async (id) => {
			const node = new TriggerNode(environment.instance(), { parameters: onAssistant(id) });
			const { message } = await failureOf(node.hook('create', 'production', {}));
			expect(message).toBe("'Assistant' is empty. Choose an assistant.");
		},
	);
});

const down = { drop: true };

describe('a service that is down', () => {
	it.each(['init', 'leadershipChange'] as WorkflowActivateMode[])(
		'does not unregister what was registered when n8n starts (%s)',
		async (activation) => {
			const { node, data } = await live();
			await environment.fault('listAssistants', down);
			await withoutWaits(async () => {
				expect(await node.hook('checkExists', 'production', data, activation)).toBe(true);
			});
			expect(node.instance.warnings).toEqual([
				'The registration could not be checked. The trigger counts as registered.',
			]);
		},
	);

	it.each([
		['with nothing registered, when n8n starts', 'init', {}],
		['when a workflow is published', 'activate', undefined],
	] as const)('makes checkExists fail with a message %s', async (_, activation, without) => {
		const { node, data } = await live();
		await environment.fault('listAssistants', down);
		await withoutWaits(async () => {
			const { message } = await failureOf(
				node.hook('checkExists', 'production', without ?? data, activation),
			);
			expect(message).toBe(
				'The connection to the service was closed before it answered. Try again later. If it fails again, ask your provider.',
			);
		});
	});

	it('makes create fail with a message, and nothing is written', async () => {
		const node = new TriggerNode(environment.instance());
		await environment.fault('listAssistants', { status: 500 });
		await withoutWaits(async () => {
			const { message } = await failureOf(node.hook('create', 'production', {}));
			expect(message).toBe('Server Error. Try again later. If it fails again, ask your provider.');
		});
	});

	it('makes delete a warning, and the token is kept for the next time', async () => {
		const { node, data } = await live();
		const before = structuredClone(data);
		await environment.fault('listAssistants', down);
		await withoutWaits(async () => {
			expect(await node.hook('delete', 'production', data)).toBe(false);
		});
		expect(node.instance.warnings).toEqual([
			"The trigger 'Call Completed' of the workflow 'Workflow under test' (ID workflow-1) may still be registered at the assistant 1: The connection to the service was closed before it answered. Publish the workflow and unpublish it again to repair this. 'Assistant > Get Webhook Status' shows what is registered.",
		]);
		expect(data).toEqual(before);
	});

	it('gets the request to unregister again when its response was lost and nothing was done', async () => {
		const { node, data } = await live();
		await environment.fault('disableWebhook', { ...down, times: 1 });
		const asked = await environment.requestedOperations(async () => {
			expect(await node.hook('delete', 'production', data)).toBe(true);
		});
		expect(asked).toEqual(['listAssistants', 'disableWebhook', 'listAssistants', 'disableWebhook']);
		expect((await environment.registration('callCompleted')).url).toBeNull();
	});

	it('gets no second request to unregister when only the response was lost', async () => {
		const { node, data } = await live();
		await environment.fault('disableWebhook', { drop: 'after' });
		const asked = await environment.requestedOperations(async () => {
			expect(await node.hook('delete', 'production', data)).toBe(true);
		});
		expect(asked).toEqual(['listAssistants', 'disableWebhook', 'listAssistants']);
		expect(node.instance.warnings).toEqual([]);
	});

	it('gets the request to unregister at most twice', async () => {
		const { node, data } = await live();
		await environment.fault('disableWebhook', down);
		const asked = await environment.requestedOperations(async () => {
			expect(await node.hook('delete', 'production', data)).toBe(false);
		});
		expect(asked).toEqual(['listAssistants', 'disableWebhook', 'listAssistants', 'disableWebhook']);
	});

	it('gets one request to register, and delete removes the registration', async () => {
		const node = new TriggerNode(environment.instance());
		await environment.fault('updateAssistant', { drop: 'after' });
		const asked = await environment.requestedOperations(async () => {
			const { message } = await failureOf(node.hook('create', 'production', {}));
			expect(message).toContain('The service may have carried out the request');
		});
		expect(asked).toEqual(['listAssistants', 'updateAssistant']);
		expect((await environment.registration('callCompleted')).url).not.toBeNull();

		await node.hook('delete', 'production', {});
		expect((await environment.registration('callCompleted')).url).toBeNull();
	});
});

describe('a service that never answers', () => {
	/** n8n 2.41 makes five attempts to publish. */
	const ATTEMPT_LIMIT_MS = 3_000;

	it('lets an attempt to publish end in time', async () => {
		const silent = await startStubServer(() => new Promise(() => undefined));
		try {
			const baseUrl = `${silent.origin}/api`;
			const node = new TriggerNode(environment.instance({ baseUrl }));
			const start = performance.now();
			const { message } = await failureOf(node.hook('checkExists', 'production', {}));
			await node.hook('delete', 'production', {});
			expect(performance.now() - start).toBeLessThan(ATTEMPT_LIMIT_MS);
			expect(message).toContain('The service did not answer in time');
			expect(silent.requests).toHaveLength(1);
		} finally {
			await silent.close();
		}
	});

	it('is asked again by the next attempt', async () => {
		const node = new TriggerNode(environment.instance());
		await withoutWaits(async () => {
			await environment.fault('listAssistants', down);
			await failureOf(node.hook('checkExists', 'production', {}));
			await environment.service.control.clearFaults();
			await node.hook('create', 'production', {});
			expect(await node.hook('delete', 'production', {})).toBe(true);
		});
		expect((await environment.registration('callCompleted')).url).toBeNull();
	});
});

describe('a service that does not keep the webhook URL', () => {
	const accepted = { message: 'Assistant updated successfully', data: {} };
	const assistantWith = (webhook_url: string | null) => ({
		current_page: 1,
		data: [{ id: 1, name: 'Caller', webhook_url, is_webhook_active: webhook_url !== null }],
	});

	it('makes create fail with a message', async () => {
		const node = new TriggerNode(environment.instance());
		await environment.fault('updateAssistant', { status: 200, body: accepted });
		const { message } = await failureOf(node.hook('create', 'production', {}));
		expect(message).toBe(
			"The service accepted the webhook URL, but the assistant 'Caller' (ID 1) does not have it. Publish the workflow again. If it fails again, ask your provider.",
		);
	});

	it('makes create fail with a message that names who registered at the same moment', async () => {
		const bodies = [
			assistantWith(null),
			accepted,
			assistantWith('https://crm.example.org/hooks/calls'),
		];
		const service = await startStubServer((_, index) => ({ body: bodies[index] }));
		try {
			const baseUrl = `${service.origin}/api`;
			const node = new TriggerNode(environment.instance({ baseUrl }));
			const { message } = await failureOf(node.hook('create', 'production', {}));
			expect(message).toBe(
				"While this trigger was registered, somebody else changed the webhook URL of the assistant 'Caller' (ID 1): the completed calls go to the host crm.example.org. Choose another assistant, or publish the workflow again when nobody else needs them.",
			);
		} finally {
			await service.close();
		}
	});
});

describe('a service that answers something else', () => {
	it('is not followed to another host', async () => {
		const node = new TriggerNode(environment.instance());
		const headers = { location: `${elsewhere.url}/api/user/assistants/get` };
		for (const operation of ['listAssistants', 'updateAssistant']) {
			await environment.fault(operation, { status: 307, headers });
			const { message } = await failureOf(node.hook('create', 'production', {}));
			expect(message).toContain(
				'The service redirected the request to another address (127.0.0.1:',
			);
			await environment.service.control.clearFaults();
		}
		expect(elsewhere.arrivals).toEqual([]);
	});

	it('names the path of the list when that is not found', async () => {
		const node = new TriggerNode(environment.instance());
		node.instance.n8n.credential.assistantListPath = '/assistants';
		const { message } = await failureOf(node.hook('create', 'production', {}));
		expect(message).toBe(
			'The service has no list of assistants at /assistants. Check the Base URL in the credential. If it is right, ask your provider for the path of the list. Enter it in the credential under Use Other List Paths.',
		);
	});

	it('says which host it came from when a web page comes', async () => {
		const node = new TriggerNode(environment.instance());
		await environment.fault('listAssistants', { status: 200, body: '<html>Sign in</html>' });
		const { message } = await failureOf(node.hook('create', 'production', {}));
		expect(message).toContain('a web page or text instead of data');
		expect(message).toContain('Base URL');
	});

	it('waits as long as a rate limit asks, and then registers', async () => {
		const node = new TriggerNode(environment.instance());
		const headers = { 'retry-after': '5' };
		await environment.fault('updateAssistant', { status: 429, headers, times: 1 });
		await withoutWaits(() => node.hook('create', 'production', {}));
		expect((await environment.registration('callCompleted')).url).not.toBeNull();
	});
});

describe('an n8n that the service cannot reach', () => {
	it.each(['production', 'test'] as const)(
		'gets a message that says how to change that (%s)',
		async (kind) => {
			// The node refuses before it sends a request to that host.
			const baseUrl = 'https://calls.example.com/api';
			const node = new TriggerNode(
				environment.instance({ baseUrl, webhookUrl: 'http://localhost:5678' }),
			);
			const { message } = await failureOf(node.hook('create', kind, {}));
			expect(message).toBe(
				'The service cannot reach this n8n, because its webhook URL begins with http://localhost:5678, which is not a public https address. Set the environment variable WEBHOOK_URL to the public https address of this n8n, restart n8n and try again.',
			);
		},
	);

	it('is fine while the service is on the same machine', async () => {
		const node = new TriggerNode(environment.instance({ webhookUrl: 'http://localhost:5678' }));
		await node.hook('create', 'production', {});
		expect((await environment.registration('callCompleted')).url).toContain(
			'http://localhost:5678/webhook/',
		);
	});
});

describe('an invalid base URL', () => {
	it.each(['', 'calls.example.com/api', 'https://calls.example.com'])(
		'is named: %s',
		async (baseUrl) => {
			const node = new TriggerNode(environment.instance({ baseUrl, webhookUrl: SECOND_N8N_URL }));
			for (const hook of ['checkExists', 'create'] as const) {
				const { message } = await failureOf(node.hook(hook, 'production', {}));
				expect(message).toMatch(
					/^The Base URL of the credential .+\. Enter the address that your provider/,
				);
			}
			expect(await node.hook('delete', 'production', {})).toBe(false);
		},
	);
});
