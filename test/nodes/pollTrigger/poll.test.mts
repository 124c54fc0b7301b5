import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { n8nWith } from '../../support/n8n/n8n.mts';
import { seedWith } from '../../support/n8n/testEnvironment.mts';
import { TurnedClock } from '../../support/n8n/turnedClock.mts';
import { startTestService } from '../../../sandbox/test/support/testService.mts';
import { flushEventLoop } from '../../support/eventLoop.mts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { asObject, type JsonObject } from '../../../sandbox/test/support/contract.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { getFailure } from '../../support/trigger/testEnvironment.mts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { onAssistants, EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const PAST = [
	{ id: 1, assistant_id: 1, ago: 'PT30M', status: 'completed' },
	{ id: 2, assistant_id: 1, ago: 'PT20M', status: 'busy' },
];

// The service has the time of n8n.
const service = await startTestService({
	seed: seedWith({ calls: PAST }),
	clock: { mode: 'manual', now: new Date().toISOString() },
});
const { control } = service;

/** A workflow in an n8n that has Alice's credential. */
const node = (parameters: INodeParameters = {}, baseUrl = service.url) =>
	new EmulatedPollNode(n8nWith({ baseUrl, apiToken: ALICE }), parameters);

/** An assistant calls somebody. @returns the ID of the call, which has not finished */
async function startCall(assistant_id = 1, scenario = 'answered', lead_id?: number) {
	const lead = lead_id === undefined ? {} : { lead_id };
	const { id } = await control.outbound({ assistant_id, to: '+4915112345611', scenario, ...lead });
	return id;
}

/** @returns the ID of a finished call */
async function completeCall(...how: Parameters<typeof startCall>) {
	const id = await startCall(...how);
	await control.advance('PT3M');
	return id;
}

/** How many pages of calls a function reads. */
async function requestCount(work: () => Promise<unknown>) {
	const before = (await control.requests()).length;
	await work();
	return (await control.requests()).length - before;
}

/** Another address of the service, where the account has a second API token. */
const tokenProxy = await startTokenProxy(service.url, ALICE);
const ROTATED = 'rotated';
tokenProxy.tokens = new Set([ALICE, ROTATED]);

/** The time limit of the first request of a publish. */
const FIRST_REQUEST_MS = 6_000;

/** The cursors in static data. */
const getCursors = (staticData: IDataObject) =>
	asObject(asObject(staticData['node:Finished Calls'], 'static data').cursors, 'cursors');

/** A published trigger for all calls. */
async function published(...how: Parameters<typeof node>) {
	const trigger = node(...how);
	await trigger.publish();
	return trigger;
}

/** Expects that a trigger fails with this message. */
async function expectFailure(work: Promise<unknown>, message: string) {
	const error = await getFailure(work);
	expect([error.name, error.message]).toEqual(['NodeOperationError', message]);
}

/** Expects that a trigger starts with a call that finishes now, and with no other one. */
async function expectNextCall(trigger: EmulatedPollNode) {
	const id = await completeCall();
	await trigger.poll();
	expect(trigger.startedIds).toEqual([id]);
}

describe('the poll trigger', () => {
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
});

it('a poll that overlaps with another one starts for no call twice', async () => {
	const trigger = await published();
	const id = await completeCall();
	await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
	expect(trigger.startedIds).toEqual([id]);
});

describe('a trigger with the static data of another one', () => {
	const copies: Array<[string, (trigger: EmulatedPollNode) => void]> = [
		['a copy of the workflow', (trigger) => (trigger.workflowId = 'copy')],
		['another service', ({ n8n }) => (n8n.credential.baseUrl = tokenProxy.url)],
	];

	it.each(copies)('starts anew: %s', async (_what, change) => {
		const trigger = await published();
		await completeCall();
		change(trigger);
		await trigger.restart();
		expect(trigger.executions).toEqual([]);
		await expectNextCall(trigger);
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
		expect(Object.keys(getCursors(trigger.database))).toEqual(['1/any']);
	});

	const STATUSES =
		"The filter 'Final Statuses' must be one or more of: busy, completed, ended, ended_by_assistant, ended_by_customer, failed, no-answer.";
	const NEXT = 'Correct the filter, then publish again.';

	it.each([
		[
			{ campaignIds: '7, x' },
			"'Campaign IDs' must have IDs, whole numbers from 1, with commas between them. One value is: x. Correct the field, or leave it empty for all campaigns.",
		],
		[onAssistants(''), "'Assistants' → 1 is empty. Choose an assistant, or remove the entry."],
		[
			{ filters: { statuses: ['busy', 'banana'] } },
			`${STATUSES} The value is: busy, banana. ${NEXT}`,
		],
		[
			{ filters: { statuses: '={{ "in-progress" }}' } },
			`${STATUSES} The value is: in-progress. ${NEXT}`,
		],
		[
			{ filters: { callTypes: ['Inbound'] } },
			`The filter 'Call Types' must be one or more of: inbound, outbound, web. The value is: Inbound. ${NEXT}`,
		],
	])('refuses %j', async (parameters, message) => {
		await expectFailure(node(parameters).publish(), notPublished(message));
	});
});

describe('a credential with an expression', () => {
	it.each(['{{ $json.token }}', "{{ $('Clients').first().json.token }}"])(
		'is refused when it needs an item: %s',
		async (expression) => {
			const trigger = node();
			trigger.n8n.credential.apiToken = `=${expression}`;
			const message =
				'The credential has an expression that needs an item, such as {{ $json.token }}, but triggers and lists to choose from have none. Choose a credential with fixed values.';
			await expectFailure(trigger.publish(), notPublished(message));
			await expectFailure(trigger.fetchTestEvent(), message);
		},
	);

	it('is used when it needs none', async () => {
		const trigger = node();
		trigger.n8n.credential.apiToken = `={{ "${ALICE}" }}`;
		await trigger.publish();
		await expectNextCall(trigger);
	});
});

describe('a poll that fails', () => {
	const fails = (rule = {}) =>
		control.fault({ operation: 'listCalls', status: 500, times: 4, ...rule });

	it('moves no cursor when one of its queries fails', async () => {
		const trigger = await published(onAssistants(1, 2));
		const ids = [await completeCall(1), await completeCall(2)];
		const before = trigger.memory;
		// Two queries with four tries each: one of them fails, the other one succeeds.
		await fails({ times: 7 });
		await getFailure(withoutWaits(() => trigger.poll()));
		expect(trigger.memory).toEqual(before);
		await trigger.poll();
		expect(trigger.startedIds).toEqual(ids);
	});

	it('stops the activation, with all text in the message', async () => {
		const trigger = node();
		trigger.n8n.credential.apiToken = 'revoked';
		await expectFailure(
			trigger.publish(),
			notPublished(
				'Authorization failed: The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
			),
		);
	});

	it('does not keep n8n from starting the workflow', async () => {
		const trigger = await published();
		const id = await completeCall();
		await fails();
		await withoutWaits(() => trigger.restart());
		expect(trigger.warnings).toEqual([
			'The calls could not be read at the start of n8n: Server Error. Try again later, and ask your provider if it fails again.',
		]);
		expect(trigger.executions).toEqual([]);
		await trigger.poll();
		expect(trigger.startedIds).toEqual([id]);
	});

	it('is no failure when a scheduled poll waits longer for the service', async () => {
		const trigger = await published();
		const id = await completeCall();
		await control.fault({ operation: 'listCalls', delay_ms: 200, times: 1 });
		using clock = new TurnedClock();
		const polling = trigger.poll();
		await flushEventLoop();
		clock.turnTo(clock.now + FIRST_REQUEST_MS);
		await clock.advanceUntilSettled(polling);
		await polling;
		expect(trigger.startedIds).toEqual([id]);
		expect(await requestCount(() => trigger.poll())).toBe(1);
	});
});

describe('a record that cannot be compared', () => {
	const COMPLETE = {
		...{ id: 9_000, status: 'completed', type: 'outbound', duration: 5, answered_by: 'human' },
		...{ assistant_name: '', assistant_phone_number: '', client_phone_number: '', transcript: '' },
		...{ variables: {}, evaluation: {}, webhook_response: {}, carrier_cost: 0, total_cost: 0 },
		...{ created_at: '2100-03-02 09:00:00', updated_at: '2100-03-02 09:00:00' },
	};
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
	])('is skipped with one warning an hour: %s', async (what, record) => {
		const trigger = await published();
		await listed(record, COMPLETE, { status: 'completed' });
		await trigger.poll();
		expect(trigger.startedIds).toEqual([COMPLETE.id]);
		// The poll is complete without them.
		const { counted } = asObject(getCursors(trigger.memory)['any/any'], 'cursor');
		expect(counted).toMatchObject({ total: 3 });
		await trigger.poll();
		expect(trigger.warnings).toEqual([
			`Records that were skipped in the list of calls: 2. The first one has ${what}. Ask your provider.`,
		]);
	});

	it('is handed out if it only lacks other fields, which are named in one warning', async () => {
		const trigger = await published();
		const { id, status, created_at } = COMPLETE;
		await listed({ id, status, created_at }, { id: 9_001, status, created_at });
		await trigger.poll();
		const common = { event: 'callCompleted', outcome: 'answered', status: 'completed' };
		const item = { ...common, created_at: '2100-03-02T09:00:00Z' };
		expect(trigger.executions.flat()).toEqual([
			{ ...item, id: 9_000 },
			{ ...item, id: 9_001 },
		]);
		expect(trigger.warnings).toEqual([
			expect.stringMatching(/^The service left out .*: assistant_name, type, .*, updated_at\. The/),
		]);
	});

	it('passes a filter on a field that it lacks', async () => {
		const trigger = node({ filters: { callTypes: ['outbound'], statuses: ['completed'] } });
		await trigger.publish();
		const { type, ...withoutType } = COMPLETE;
		expect(type).toBe('outbound');
		await listed(withoutType, { ...COMPLETE, id: 9_001, type: 'web' });
		await trigger.poll();
		expect(trigger.startedIds).toEqual([9_000]);
	});

	it('is skipped by a manual run', async () => {
		const trigger = node();
		await listed({ id: 7, status: 'completed' }, COMPLETE);
		expect(await trigger.fetchTestEvent()).toMatchObject([{ id: COMPLETE.id }]);
		expect(trigger.warnings).toHaveLength(1);
	});
});

describe('the calls of an assistant', () => {
	const rename = async (id: number, assistant_name: string) => {
		const { status } = await sendRequest(`${service.url}/user/assistant/${id}`, {
			method: 'PUT',
			headers: { authorization: `Bearer ${ALICE}`, 'content-type': 'application/json' },
			body: JSON.stringify({ assistant_name }),
		});
		expect(status).toBe(200);
	};

	it('come although another assistant has its former name now', async () => {
		await rename(1, 'Sales');
		const trigger = await published(onAssistants(1));
		const id = await completeCall(1);
		await rename(1, 'Sales (old)');
		await rename(2, 'Sales');
		await trigger.poll();
		expect(trigger.executions.flat()).toMatchObject([{ id, assistant_id: 1 }]);
		expect(await requestCount(() => trigger.poll())).toBe(1);
	});

	it('have its ID, although two have one name', async () => {
		await rename(1, 'Reception');
		await rename(2, 'Reception');
		const trigger = await published(onAssistants(2));
		const id = await completeCall(2);
		await trigger.poll();
		expect(trigger.executions.flat()).toMatchObject([{ id, assistant_id: 2 }]);
		expect(trigger.warnings).toEqual([]);
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

	it('says when there is no call', async () => {
		await expectFailure(
			node(onAssistants(2)).fetchTestEvent(),
			'There is no finished call to show: none was found for the assistants, campaigns and filters of this node. Let an assistant make a call, or choose others.',
		);
	});
});

describe('the requests of a poll', () => {
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
