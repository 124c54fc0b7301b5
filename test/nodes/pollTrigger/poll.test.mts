import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { HOOK_TIME_LIMIT_MS } from '../../../nodes/shared/client/deadline.ts';
import { drip } from '../../support/drip.mts';
import { listenOnLoopback } from '../../support/loopback.mts';
import { asObject, type JsonObject } from '../../support/sandbox/contract.mts';
import { failureOf } from '../../support/trigger/testEnvironment.mts';
import { ALICE } from '../../support/sandbox/seed.mts';
import type { PollNode } from '../../support/trigger/pollNode.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import { onAssistants, startPollEnvironment } from '../../support/trigger/pollEnvironment.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const PAST = [
	{ id: 1, assistant_id: 1, ago: 'PT30M', status: 'completed' },
	{ id: 2, assistant_id: 1, ago: 'PT20M', status: 'busy' },
];

const environment = await startPollEnvironment(PAST);
const { service, node, startCall, completeCall, requestCount } = environment;
const { control } = service;

/** Another address of the service, where the account has a second API token. */
const tokenProxy = await startTokenProxy(service.url, ALICE);
const ROTATED = 'rotated';
tokenProxy.tokens = new Set([ALICE, ROTATED]);

/** n8n 2.41 aborts a publication after 84 seconds, and makes five attempts. */
const ACTIVATION_LIMIT_MS = 4_000;

/** The cursors in static data. */
const cursorsOf = (staticData: IDataObject) =>
	asObject(asObject(staticData['node:Finished Calls'], 'static data').cursors, 'cursors');

/** A published trigger for all calls. */
async function published(...how: Parameters<typeof node>) {
	const trigger = node(...how);
	await trigger.publish();
	return trigger;
}

describe('the poll trigger', () => {
	it('starts with the calls that finish after it was published', async () => {
		const trigger = await published();
		expect(trigger.executions).toEqual([]);
		const id = await completeCall();
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
	});

	it('starts for a call that had begun before it was published', async () => {
		const id = await startCall();
		const trigger = await published();
		await control.advance('PT3M');
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
	});

	it('does not start before a call has finished', async () => {
		const trigger = await published();
		const id = await startCall();
		for (const until of ['PT0S', 'PT2S', 'PT6S']) {
			await control.advance(until);
			await trigger.poll();
			expect(trigger.executions).toEqual([]);
		}
		await control.advance('PT1M');
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
	});

	it('starts once for each call', async () => {
		const trigger = await published();
		await completeCall();
		await trigger.poll();
		await trigger.poll();
		await trigger.restart();
		await trigger.poll();
		expect(trigger.executions).toHaveLength(1);
	});

	it('starts one execution for all calls of a poll, the oldest first', async () => {
		const trigger = await published();
		const ids = [await completeCall(), await completeCall(1, 'busy'), await completeCall(2)];
		await trigger.poll();
		expect(trigger.executions.map((items) => items.map(({ id }) => id))).toEqual([ids]);
	});

	it('gives calls in the shape of the webhook trigger', async () => {
		const trigger = await published({ ...onAssistants(1), campaignIds: '1' });
		const id = await completeCall(1, 'answered', 1);
		await trigger.poll();
		expect(trigger.executions[0]?.[0]).toMatchObject({
			event: 'callCompleted',
			id,
			assistant_id: 1,
			assistant_name: 'Caller',
			campaign_id: 1,
			campaign_name: 'Spring',
			type: 'outbound',
			status: 'completed',
		});
	});

	it('starts for what finished while n8n was down', async () => {
		const trigger = await published();
		const open = await startCall();
		await trigger.poll();
		const ids = [open, await completeCall(), await completeCall()];
		await trigger.restart();
		expect(trigger.startedIds).toEqual(ids);
		await trigger.poll();
		await trigger.restart();
		expect(trigger.startedIds).toEqual(ids);
	});

	it('reads the account of its credential only', async () => {
		const trigger = await published();
		await control.outbound({ assistant_id: 101, to: '+33612345611' });
		await control.advance('PT3M');
		await trigger.poll();
		expect(trigger.executions).toEqual([]);
	});
});

describe('a poll that overlaps with another one', () => {
	it('starts for no call twice', async () => {
		const trigger = await published();
		const id = await completeCall();
		await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
		expect(trigger.startedIds).toEqual([id]);
	});
});

describe('a trigger with the static data of another one', () => {
	const copies: Array<[string, (trigger: PollNode) => void]> = [
		['a copy of the workflow', (trigger) => (trigger.workflowId = 'copy')],
		['another service', ({ n8n }) => (n8n.credential.baseUrl = tokenProxy.url)],
	];

	it.each(copies)('starts anew: %s', async (_what, change) => {
		const trigger = await published();
		await completeCall();
		change(trigger);
		await trigger.restart();
		expect(trigger.executions).toEqual([]);
		const id = await completeCall();
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
	});

	it('goes on when it is the same, with a new API token and a slash at the end', async () => {
		const trigger = await published({}, tokenProxy.url);
		const id = await completeCall();
		Object.assign(trigger.n8n.credential, { baseUrl: `${tokenProxy.url}/`, apiToken: ROTATED });
		await trigger.restart();
		expect(trigger.startedIds).toEqual([id]);
	});
});

describe('the selection', () => {
	it.each([
		['of all assistants', {}, [1, 2, 3]],
		['of one assistant', onAssistants(2), [3]],
		['of two assistants', onAssistants(1, '2', 1), [1, 2, 3]],
		['of a campaign', { campaignIds: '1' }, [2]],
		['of a campaign, as an expression gives it', { campaignIds: 1 }, [2]],
		['of several campaigns', { campaignIds: '2, 1,' }, [2]],
		['of an assistant in a campaign', { ...onAssistants(1, 2), campaignIds: '1' }, [2]],
		['of a type', { filters: { callTypes: ['inbound', 'web'] } }, []],
		['of another type', { filters: { callTypes: ['outbound'] } }, [1, 2, 3]],
		['with a status', { filters: { statuses: ['busy', 'failed'] } }, [3]],
		['without filters', { filters: { callTypes: [], statuses: [] } }, [1, 2, 3]],
	])('takes the calls %s', async (_what, parameters, expected) => {
		const trigger = await published(parameters);
		const ids = [
			await completeCall(1),
			await completeCall(1, 'ended', 1),
			await completeCall(2, 'busy'),
		];
		await trigger.poll();
		expect(trigger.startedIds.sort()).toEqual(expected.map((which) => ids[which - 1]));
	});

	it('can be changed: an assistant that is added starts with its next call', async () => {
		const trigger = await published(onAssistants(1));
		const [first] = [await completeCall(1), await completeCall(2)];
		await trigger.poll();
		trigger.parameters = onAssistants(1, 2);
		await trigger.publish();
		const ids = [await completeCall(1), await completeCall(2)];
		await trigger.poll();
		expect(trigger.startedIds).toEqual([first, ...ids]);
	});

	it('can be changed: nothing is kept of an assistant that is removed', async () => {
		const trigger = await published(onAssistants(1, 2));
		await completeCall(2);
		trigger.parameters = onAssistants(1);
		await trigger.publish();
		expect(trigger.executions).toEqual([]);
		expect(Object.keys(cursorsOf(trigger.database))).toEqual(['1/any']);
	});

	it.each([
		[
			{ campaignIds: '7, x' },
			"'Campaign IDs' must have IDs, whole numbers from 1, with commas between them. One value is: x. Correct the field, or leave it empty for all campaigns.",
		],
		[onAssistants(''), "'Assistants' → 1 is empty. Choose an assistant, or remove the entry."],
		[
			{ filters: { statuses: ['busy', 'banana'] } },
			"The filter 'Final Statuses' must be one or more of: busy, completed, ended, ended_by_assistant, ended_by_customer, failed, no-answer. The value is: busy, banana. Correct the filter, then publish again.",
		],
		[
			{ filters: { statuses: '={{ "in-progress" }}' } },
			"The filter 'Final Statuses' must be one or more of: busy, completed, ended, ended_by_assistant, ended_by_customer, failed, no-answer. The value is: in-progress. Correct the filter, then publish again.",
		],
		[
			{ filters: { callTypes: ['Inbound'] } },
			"The filter 'Call Types' must be one or more of: inbound, outbound, web. The value is: Inbound. Correct the filter, then publish again.",
		],
	])('refuses %j', async (parameters, message) => {
		const trigger = node(parameters);
		expect(await failureOf(trigger.publish())).toMatchObject({
			name: 'NodeOperationError',
			message,
		});
	});
});

describe('a credential with an expression', () => {
	it.each(['{{ $json.token }}', "{{ $('Clients').first().json.token }}"])(
		'is refused when it needs an item: %s',
		async (expression) => {
			const trigger = node();
			trigger.n8n.credential.apiToken = `=${expression}`;
			for (const run of [() => trigger.publish(), () => trigger.fetchTestEvent()]) {
				expect(await failureOf(run())).toMatchObject({
					name: 'NodeOperationError',
					message:
						'The credential has an expression that needs an item, such as {{ $json.token }}. Triggers and lists to choose from have none. Choose a credential with fixed values.',
				});
			}
		},
	);

	it('is used when it needs none', async () => {
		const trigger = node();
		trigger.n8n.credential.apiToken = `={{ "${ALICE}" }}`;
		await trigger.publish();
		const id = await completeCall();
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
	});
});

describe('a poll that fails', () => {
	const fails = (rule = {}) =>
		control.fault({ operation: 'listCalls', status: 500, times: 4, ...rule });

	it('loses nothing and starts nothing twice', async () => {
		const trigger = await published();
		const first = await completeCall();
		await trigger.poll();
		const second = await completeCall();
		const before = trigger.memory;
		await fails();
		const { name, message } = await failureOf(withoutWaits(() => trigger.poll()));
		expect({ name, message }).toEqual({
			name: 'NodeOperationError',
			message: 'Server Error. Try again later. If it fails again, ask your provider.',
		});
		expect(trigger.memory).toEqual(before);
		await trigger.poll();
		expect(trigger.startedIds).toEqual([first, second]);
	});

	it('moves no cursor when one of its queries fails', async () => {
		const trigger = await published(onAssistants(1, 2));
		const ids = [await completeCall(1), await completeCall(2)];
		const before = trigger.memory;
		// Two queries with four tries each: one of them fails, the other one succeeds.
		await fails({ times: 7 });
		await failureOf(withoutWaits(() => trigger.poll()));
		expect(trigger.memory).toEqual(before);
		await trigger.poll();
		expect(trigger.startedIds).toEqual(ids);
	});

	it('stops the activation, with all text in the message', async () => {
		const trigger = node();
		trigger.n8n.credential.apiToken = 'revoked';
		expect(await failureOf(trigger.publish())).toMatchObject({
			name: 'NodeOperationError',
			message:
				'Authorization failed: The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
		});
	});

	it('does not keep n8n from starting the workflow', async () => {
		const trigger = await published();
		const id = await completeCall();
		await fails();
		await withoutWaits(() => trigger.restart());
		expect(trigger.warnings).toEqual([
			'The calls could not be read at the start of n8n: Server Error. Try again later. If it fails again, ask your provider.',
		]);
		expect(trigger.executions).toEqual([]);
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
	});

	it.each([
		['does not answer', 'publish', () => undefined],
		['does not answer', 'restart', () => undefined],
		['sends a byte at a time', 'publish', drip],
		['sends a byte at a time', 'restart', drip],
	] as const)('ends soon when the service %s at a %s', async (_what, activation, respond) => {
		const slow = await listenOnLoopback((_request, response) => void respond(response));
		try {
			const trigger = await published();
			trigger.n8n.credential.baseUrl = `${slow.origin}/api`;
			const start = performance.now();
			const message = await trigger[activation]().then(
				() => trigger.warnings.join(),
				(error: unknown) => String(error),
			);
			expect(performance.now() - start).toBeLessThan(ACTIVATION_LIMIT_MS);
			expect(message).toContain('The service did not answer in time');
		} finally {
			await slow.close();
		}
	});

	it('is no failure when a scheduled poll waits longer for the service', async () => {
		const trigger = await published();
		const id = await completeCall();
		await control.fault({ operation: 'listCalls', delay_ms: HOOK_TIME_LIMIT_MS + 200, times: 1 });
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
		expect(await requestCount(() => trigger.poll())).toBe(1);
	});

	it('is reported when it is not the first after the start', async () => {
		const trigger = await published();
		await trigger.restart();
		await fails();
		expect((await failureOf(withoutWaits(() => trigger.poll()))).name).toBe('NodeOperationError');
	});
});

describe('a record that cannot be compared', () => {
	const COMPLETE = { id: 9_000, status: 'completed', created_at: '2100-03-02 09:00:00' };
	const listed = (...data: JsonObject[]) =>
		control.fault({
			operation: 'listCalls',
			status: 200,
			body: { data, current_page: 1, last_page: 1, total: data.length },
			times: 1,
		});

	it.each([
		['no created_at that can be read (ID 7)', { id: 7, status: 'completed' }],
		['no created_at that can be read (ID 7)', { id: 7, status: 'busy', created_at: 'yesterday' }],
		['no id', { status: 'completed', created_at: '2026-03-02 09:00:00' }],
	])('is skipped with one warning: %s', async (what, record) => {
		const trigger = await published();
		await listed(record, COMPLETE, { status: 'completed' });
		await trigger.poll();
		expect(trigger.startedIds).toEqual([COMPLETE.id]);
		expect(trigger.warnings).toEqual([
			`Records that were skipped in the list of calls: 2. The first one has ${what}. Ask your provider.`,
		]);
	});

	it('does not make the poll incomplete', async () => {
		const trigger = await published();
		await listed({ id: 7, status: 'completed' }, COMPLETE, { status: 'completed' });
		await trigger.poll();
		const { counted } = asObject(cursorsOf(trigger.memory)['any/any'], 'cursor');
		expect(counted).toMatchObject({ total: 3 });
	});

	it('is skipped by a manual run', async () => {
		const trigger = node();
		await listed({ id: 7, status: 'completed' }, COMPLETE);
		expect(await trigger.fetchTestEvent()).toMatchObject([{ id: COMPLETE.id }]);
		expect(trigger.warnings).toHaveLength(1);
	});
});

describe('a manual run', () => {
	it('shows the newest finished call and leaves the static data', async () => {
		const trigger = await published();
		const id = await completeCall(1, 'busy');
		await startCall();
		const before = trigger.memory;
		expect(await trigger.fetchTestEvent()).toMatchObject([{ id, event: 'callCompleted' }]);
		expect(trigger.memory).toEqual(before);
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
	});

	it('shows the newest one that matches', async () => {
		await completeCall();
		const trigger = node({ filters: { statuses: ['busy'] } });
		expect(await trigger.fetchTestEvent()).toMatchObject([{ id: 2 }]);
	});

	it('says when there is no call', async () => {
		expect(await failureOf(node(onAssistants(2)).fetchTestEvent())).toMatchObject({
			name: 'NodeOperationError',
			message:
				'There is no finished call to show: none was found for the assistants, campaigns and filters of this node. Let an assistant make a call, or choose others.',
		});
	});
});

describe('the requests of a poll', () => {
	it('are one when nothing happened', async () => {
		const trigger = await published();
		expect(await requestCount(() => trigger.poll())).toBe(1);
	});

	it('are one for each pair of assistant and campaign', async () => {
		const trigger = await published({ ...onAssistants(1, 2), campaignIds: '1, 2' });
		expect(await requestCount(() => trigger.poll())).toBe(4);
	});

	it('are sent five at a time', async () => {
		const ids = Array.from({ length: 12 }, (_, index) => index + 1);
		await control.fault({ operation: 'listCalls', delay_ms: 50, times: ids.length });
		await published(onAssistants(...ids));
		const requests = await control.requests();
		expect(Math.max(...requests.map(({ in_flight }) => in_flight))).toBe(5);
	});
});
