import { describe, expect, it } from '@jest/globals';
import { getId } from '../../../sandbox/test/support/client.mts';
import { newAssistant } from '../../../sandbox/test/support/seed.mts';
import { stubServersPerTest } from '../../support/n8n/stubServer.mts';
import { TurnedClock } from '../../support/n8n/turnedClock.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { toolTrigger } from '../../support/trigger/toolTrigger.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import {
	SECOND_N8N_URL,
	failureMessage,
	startTriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant, type Instance } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const { fault, requestedOperations, whileDown } = environment;
const startStub = stubServersPerTest();

const trigger = (id: number | string = 1) =>
	new TriggerNode(environment.instance(), { parameters: onAssistant(id) });

/** A trigger that is registered in production. */
async function live(node = trigger()) {
	const data = {};
	await node.hook('create', 'production', data);
	return { node, data };
}

describe('an assistant that is gone', () => {
	const GONE =
		'The assistant with the ID \\d+ does not exist in this account: .+ Choose another assistant.';
	const gone = (kind: string) => new RegExp(`^${kind === 'test' ? GONE : notPublished(GONE)}$`);

	/** Expects that nothing is registered, and nothing is left to unregister. */
	async function expectGone(node: TriggerNode, kind: 'production' | 'test') {
		const asked = await requestedOperations(async () => {
			expect(await node.hook('checkExists', kind)).toBe(false);
			expect(await failureMessage(node.hook('create', kind))).toMatch(gone(kind));
			await node.hook('delete', kind);
		});
		// Nothing was registered, so `delete` asks nothing.
		expect(asked).toEqual(Array<string>(2).fill('listAssistants'));
		expect(node.instance.warnings).toEqual([]);
	}

	// Assistant 101 is another account's.
	it.each([
		['production', 999],
		['test', 999],
		['production', 101],
	] as const)('is named when %s registers: %i', (kind, id) => expectGone(trigger(id), kind));

	it('is the same when the list still shows it as deleted', async () => {
		const deleted_at = '2026-03-01T00:00:00.000000Z';
		const data = [{ ...(await environment.assistant()), deleted_at }];
		await fault('listAssistants', { body: { current_page: 1, last_page: 1, data } });
		await expectGone(trigger(), 'production');
	});
});

it('an assistant beyond the first page of the list is found', async () => {
	const ids = [1];
	for (let count = 0; count < 100; count++) {
		ids.push(getId(await environment.service.alice.post('/user/assistant', newAssistant)));
	}
	const pages = ['listAssistants', 'listAssistants'];
	const asked = [];
	for (const id of [1, ids.at(-1)]) {
		asked.push(await requestedOperations(() => trigger(id).hook('create')));
	}
	expect(asked).toContainEqual([...pages, 'updateAssistant', ...pages]);
	expect(asked).toContainEqual(['listAssistants', 'updateAssistant', 'listAssistants']);
});

describe('an assistant that is not an ID', () => {
	it.each(['../calls', '1?x=1', '0', '1e3', '-1', '={{ "1 or 2" }}'])(
		'is refused before anything is sent: %s',
		async (id) => {
			const asked = await requestedOperations(async () => {
				expect(await failureMessage(trigger(id).hook('create'))).toMatch(
					/ 'Assistant' must be an ID, a whole number from 1 \(the value is: .+\)\. Choose an assistant\. /,
				);
				expect(await trigger(id).hook('delete')).toBe(false);
			});
			expect(asked).toEqual([]);
		},
	);

	it.each(['', '={{ undefined }}', '={{ null }}'])(
		'is requested if it is empty: %s',
		async (id) => {
			const message = await failureMessage(trigger(id).hook('create'));
			expect(message).toBe(notPublished("'Assistant' is empty. Choose an assistant."));
		},
	);
});

it.each(['', 'callEnded', 'toString'])('an event that is none is refused: "%s"', async (event) => {
	const parameters = { ...onAssistant(1), triggerOn: `={{ '${event}' }}` };
	const node = new TriggerNode(environment.instance(), { parameters });
	const asked = await requestedOperations(async () => {
		expect(await failureMessage(node.hook('create'))).toBe(
			notPublished("'Trigger On' is none of its choices. Choose an event."),
		);
		expect(await node.hook('delete')).toBe(false);
	});
	expect(asked).toEqual([]);
});

const down = { drop: true };
const CLOSED = 'The connection to the service was closed before it answered';

describe.each([
	{
		name: 'the trigger',
		create: (instance?: Instance) => new TriggerNode(instance ?? environment.instance()),
		registration: 'registration',
		left: 'registered at',
	},
	{
		name: 'the mid call tool trigger',
		create: (instance?: Instance) => toolTrigger(instance ?? environment.instance()),
		registration: 'tool',
		left: 'a tool of',
	},
])('when the hooks of $name cannot use the service', ({ create, ...texts }) => {
	it.each(['init', 'leadershipChange'] as const)(
		'what was registered stays when n8n starts while it is down (%s)',
		async (activation) => {
			const { node, data } = await live(create());
			expect(await whileDown(() => node.hook('checkExists', 'production', data, activation))).toBe(
				true,
			);
			expect(node.instance.warnings).toEqual([
				`The ${texts.registration} could not be checked. The trigger counts as registered.`,
			]);
		},
	);

	it.each([
		['with nothing registered, when n8n starts', 'init', false],
		['when a workflow is published', 'activate', true],
	] as const)(
		'checkExists fails with a message while it is down, %s',
		async (_, activation, isRegistered) => {
			const { node, data } = await live(create());
			const stored = isRegistered ? data : {};
			const message = await whileDown(() =>
				failureMessage(node.hook('checkExists', 'production', stored, activation)),
			);
			const reason = `${CLOSED}. Try again later, and ask your provider if it fails again.`;
			expect(message).toBe(activation === 'activate' ? notPublished(reason) : reason);
		},
	);

	it('delete is a warning while it is down, and what is stored is kept for the next time', async () => {
		const { node, data } = await live(create());
		const before = structuredClone(data);
		expect(await whileDown(() => node.hook('delete', 'production', data))).toBe(false);
		expect(node.instance.warnings).toEqual([
			`The trigger may still be ${texts.left} the assistant 1: ${CLOSED}. Publish the workflow and unpublish it again to repair this. 'Voice Assistant → Get Webhook Status' shows what is registered.`,
		]);
		expect(data).toEqual(before);
	});

	it.each(['production', 'test'] as const)(
		'nothing is sent for an n8n that the service cannot reach, and a message says how to change that (%s)',
		async (kind) => {
			// The node refuses before it sends a request to that host.
			const baseUrl = 'https://calls.example.com/api';
			const node = create(environment.instance({ baseUrl, webhookUrl: 'http://localhost:5678' }));
			const reason =
				'The service cannot reach this n8n, because its webhook URL begins with http://localhost:5678, which is not a public https address. Set the environment variable WEBHOOK_URL to the public https address of this n8n, restart n8n and try again.';
			expect(await failureMessage(node.hook('create', kind))).toBe(
				kind === 'test' ? reason : notPublished(reason),
			);
		},
	);
});

const read = 'listAssistants';
const write = 'updateAssistant';
it.each([
	[
		'again when its response was lost and nothing was done',
		{ ...down, times: 1 },
		[read, write, read, write],
		true,
	],
	[
		'again when a gateway answered an empty 200 by itself',
		{ status: 200, body: '', times: 1 },
		[read, write, read, write],
		true,
	],
	['only once when only the response was lost', { drop: 'after' }, [read, write, read], true],
	['at most twice', down, [read, write, read, write], false],
])(
	'a service that is down gets the request to unregister %s',
	async (_, rule, expected, isDone) => {
		const { node, data } = await live();
		await fault(write, rule);
		const asked = await requestedOperations(async () => {
			const unregistered = withoutWaits(() => node.hook('delete', 'production', data));
			expect(await unregistered).toBe(isDone);
		});
		expect(asked).toEqual(expected);
		expect(await environment.webhookUrl()).toEqual(isDone ? null : expect.any(String));
		expect(node.instance.warnings).toHaveLength(isDone ? 0 : 1);
	},
);

/** n8n 2.41 makes five attempts to publish, and has 84 seconds for all of them. */
const ATTEMPT_LIMIT_MS = 7_000;

it('a service that never answers lets an attempt to publish end in time', async () => {
	const silent = await startStub(() => new Promise(() => undefined));
	const baseUrl = `${silent.origin}/api`;
	const node = new TriggerNode(environment.instance({ baseUrl }));
	using clock = new TurnedClock();
	const failing = failureMessage(node.hook('checkExists')).finally(() => node.hook('delete'));
	expect(await clock.advanceUntilSettled(failing)).toBeLessThan(ATTEMPT_LIMIT_MS);
	expect(await failing).toContain('The service did not answer in time');
	expect(silent.requests).toHaveLength(1);
});

describe('a service that does not keep the webhook URL', () => {
	const accepted = { message: 'Assistant updated successfully', data: {} };
	const assistantWith = (webhook_url: string | null) => ({
		last_page: 1,
		data: [{ id: 1, name: 'Caller', webhook_url, is_webhook_active: webhook_url !== null }],
	});

	it('makes create fail with both lengths, and the webhook is off again', async () => {
		await fault('updateAssistant', { status: 200, body: accepted });
		const node = trigger();
		const { message, asked } = await environment.failure(() => node.hook('create'));
		expect(asked).toEqual([
			'listAssistants',
			'updateAssistant',
			'listAssistants',
			'updateAssistant',
		]);
		const { length } = `${await node.url('production')}?token=${'0'.repeat(64)}`;
		expect(message).toBe(
			notPublished(
				`The service did not keep the webhook URL of the assistant 'Caller' (ID 1) as it was written: ${length} characters were written, and it shows 0. It has no webhook now. Use the Poll Trigger, or ask your provider to keep webhook URLs unchanged.`,
			),
		);
	});

	it.each([
		['https://crm.example.org/hooks/calls', 'the host crm.example.org'],
		// Another process of the same n8n has published a workflow.
		['/webhook/w/workflow-9/node-9?token=ab', 'another workflow on this n8n, /workflow/workflow-9'],
	])(
		'makes create fail with a message that names who registered at the same moment: %s',
		async (path, receiver) => {
			const bodies: unknown[] = [];
			const service = await startStub((_, index) => ({ body: bodies[index] }));
			const node = new TriggerNode(environment.instance({ baseUrl: `${service.origin}/api` }));
			const url = new URL(path, await node.url('production')).href;
			bodies.push(assistantWith(null), accepted, assistantWith(url));
			expect(await failureMessage(node.hook('create'))).toBe(
				notPublished(
					`While this trigger was registered, somebody else changed the webhook URL of the assistant 'Caller' (ID 1): the completed calls go to ${receiver}. Choose another assistant, or publish the workflow again when nobody else needs them.`,
				),
			);
			// Nothing of the other one was taken away.
			expect(service.requests).toHaveLength(3);
		},
	);
});

describe('a service that refuses', () => {
	it('is named with the path of the list when that is not found', async () => {
		const node = trigger();
		node.instance.n8n.credential.assistantListPath = '/assistants';
		expect(await failureMessage(node.hook('create'))).toBe(
			notPublished(
				'The service has no list of assistants at /assistants. Check the Base URL in the credential. If it is right, ask your provider for the path of the list. Enter it in the credential under Use Other List Paths.',
			),
		);
		// n8n calls it at once. Nothing was changed, so there is nothing to repair.
		await node.hook('delete');
		expect(node.instance.warnings).toEqual([]);
	});

	it('the URL of the webhook is told where n8n has it from', async () => {
		const errors = { webhook_url: ['The URL must begin with https.'] };
		await fault('updateAssistant', { status: 422, body: { message: 'Validation failed', errors } });
		const message = await failureMessage(trigger().hook('create'));
		expect(message).toContain(
			'webhook_url: The URL must begin with https. This URL comes from n8n:',
		);
		expect(message).not.toContain('fields named above');
	});
});

it('an invalid base URL is named', async () => {
	const baseUrl = 'calls.example.com/api';
	const node = new TriggerNode(environment.instance({ baseUrl, webhookUrl: SECOND_N8N_URL }));
	for (const hook of ['checkExists', 'create'] as const) {
		expect(await failureMessage(node.hook(hook))).toMatch(
			/ The Base URL of the credential .+\. Enter the address that your provider/,
		);
	}
	expect(await node.hook('delete')).toBe(false);
});

it('the delete of a refused trigger leaves what another one may have written', async () => {
	const other = 'https://crm.example.org/hooks/calls';
	await environment.register('callCompleted', other);
	const options = { options: { replaceExisting: true } };
	const first = new TriggerNode(environment.instance(), {
		workflowId: 'workflow-2',
		parameters: onAssistant(1, 'callCompleted', options),
	});
	await fault('updateAssistant', { status: 500, times: 2 });
	await withoutWaits(() => failureMessage(first.hook('create')));

	const refused = trigger();
	expect(await withoutWaits(() => failureMessage(refused.hook('create')))).toContain(
		'already go to',
	);
	letTimePass();
	await withoutWaits(() => refused.hook('delete'));
	expect(await environment.webhookUrl()).toBe(other);
});
