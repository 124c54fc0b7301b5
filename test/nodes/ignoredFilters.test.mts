import { describe, expect, it, jest } from '@jest/globals';
import { ExecuteContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { ALICE, newAssistant } from '../../sandbox/test/support/seed.mts';
import { startTestService } from '../../sandbox/test/support/testService.mts';
import { n8nWith } from '../support/n8n/n8n.mts';
import { seedWith } from '../support/n8n/testEnvironment.mts';
import { EmulatedPollNode, onAssistants } from '../support/trigger/emulatedPollNode.mts';

/** A service that gives all calls, whatever it is asked for (assumption: call-filters). */
const PAST = [
	{ id: 1, assistant_id: 1, campaign_id: 1, type: 'outbound', status: 'completed', ago: 'PT30M' },
	{ id: 2, assistant_id: 2, type: 'inbound', status: 'busy', ago: 'PT40M' },
	{ id: 3, assistant_id: 2, type: 'outbound', status: 'no-answer', ago: 'P9D' },
].map((call, index) => ({ ...call, client_phone_number: `+4915112345${600 + index}` }));

const assistants = [1, 2].map((id) => ({ ...newAssistant, id, assistant_name: `Assistant ${id}` }));

const now = new Date().toISOString();
const service = await startTestService({
	seed: seedWith({ calls: PAST, assistants }),
	clock: { mode: 'manual', now },
	assume: { 'call-filters': 'ignored' },
});
const { control, alice } = service;

/** The process remembers the names of assistants for some minutes. */
let workflows = 0;
const pollNode = (...assistantIds: number[]) => {
	const node = new EmulatedPollNode(n8n, onAssistants(...assistantIds));
	node.workflowId = `workflow-${++workflows}`;
	return node;
};
const n8n = n8nWith({ baseUrl: service.url, apiToken: ALICE });

const assistant = (id: number) => ({ __rl: true, mode: 'id', value: String(id) });

const day = (ago: number) =>
	new Date(Date.parse(now) - ago * 86_400_000).toISOString().slice(0, 10);

it.each<[string, INodeParameters, number[]]>([
	['status', { status: 'busy' }, [2]],
	['type', { type: 'outbound' }, [1, 3]],
	['phone number', { phoneNumber: '+4915112345601' }, [2]],
	['first day', { dateFrom: day(3) }, [1, 2]],
	['last day', { dateTo: day(5) }, [3]],
	['no filter', {}, [1, 2, 3]],
])('Get Many compares the %s', async (_name, filters, ids) => {
	const parameters = { resource: 'call', operation: 'getAll', returnAll: true, filters };
	const { output, error } = await n8n.runNode({ parameters });
	expect(error).toBeUndefined();
	expect(output[0].map(({ json }) => Number(json.id)).sort()).toEqual(ids);
});

type Logger = ExecuteContext['logger'];

/** Runs *Get Many* for the calls of an assistant, with two items. @returns the IDs, and n8n's log */
async function getManyOf(id: number): Promise<{ ids: number[]; warnings: string[] }> {
	const warnings: string[] = [];
	const logger: Partial<Logger> = {
		warn: (line) => void warnings.push(line),
		info: () => undefined,
	};
	const spy = jest.spyOn(ExecuteContext.prototype, 'logger', 'get');
	spy.mockReturnValue(logger as Logger);
	const parameters = {
		...{ resource: 'call', operation: 'getAll', returnAll: true },
		filters: { assistantId: assistant(id) },
	};
	const { output, error } = await n8n.runNode({ parameters, items: [{}, {}] });
	spy.mockRestore();
	expect(error).toBeUndefined();
	const ids = output[0].map(({ json }) => Number(json.id)).sort();
	return { ids: ids.filter((_, index) => index % 2 === 0), warnings };
}

it('Get Many leaves out calls that name another assistant, and reads the assistants once', async () => {
	const before = await listings();
	const { ids, warnings } = await getManyOf(2);
	expect(ids).toEqual([2, 3]);
	expect(warnings).toEqual([expect.stringContaining('records that the filters leave out')]);
	expect(await listings()).toBe(before + 1);
});

it.each([
	['several have', 2, 'Assistant 1', [1]],
	['nobody has any more', 1, 'Reception', [1]],
])('Get Many outputs a call with a name that %s, and says so', async (_what, id, name, ids) => {
	await rename(id, name);
	const result = await getManyOf(1);
	await rename(id, `Assistant ${id}`);
	expect(result.ids).toEqual(expect.arrayContaining(ids));
	expect(result.warnings.join()).toContain('Some calls may be of another assistant');
});

it('Get Many outputs what the service says where the list of assistants cannot be read', async () => {
	await control.fault({ operation: 'listAssistants', status: 404, times: 1 });
	const { ids, warnings } = await getManyOf(2);
	expect(ids).toEqual([1, 2, 3]);
	expect(warnings).toEqual([expect.stringContaining('were not compared')]);
});

it('Get Many with a limit reads on behind calls that were not asked for', async () => {
	const parameters = {
		...{ resource: 'call', operation: 'getAll', limit: 1 },
		filters: { type: 'inbound' },
	};
	const { output } = await n8n.runNode({ parameters });
	expect(output[0].map(({ json }) => json.id)).toEqual([2]);
});

/** Assistants call somebody, and the calls end. @returns the IDs */
async function completeCalls(...assistantIds: number[]): Promise<number[]> {
	const ids: number[] = [];
	for (const assistant_id of assistantIds) {
		ids.push((await control.outbound({ assistant_id, to: '+4915112345611' })).id);
	}
	await control.advance('PT3M');
	return ids;
}

it('a poll hands out each call under its own assistant, and no other one', async () => {
	const one = pollNode(1);
	const both = pollNode(1, 2);
	await one.publish();
	await both.publish();
	const [first, second] = await completeCalls(1, 2);
	await one.poll();
	await both.poll();
	expect(one.executions.flat()).toMatchObject([{ id: first, assistant_id: 1 }]);
	expect(one.warnings.join()).toContain('than those that were asked for: 1.');
	expect(both.executions.flat()).toMatchObject([
		{ id: first, assistant_id: 1 },
		{ id: second, assistant_id: 2 },
	]);
});

it('a manual run shows the newest call of the assistant', async () => {
	const [first] = await completeCalls(1);
	await completeCalls(2);
	const shown = await pollNode(1).fetchTestEvent();
	expect(shown).toMatchObject([{ id: first, assistant_id: 1 }]);
});

it.each([
	['several have', async () => await rename(2, 'Assistant 1')],
	['none has any more', async () => await rename(1, 'Reception')],
])('a call with a name that %s passes without an ID of an assistant', async (_what, change) => {
	const node = pollNode(1);
	await node.publish();
	const [id] = await completeCalls(1);
	await change();
	await node.poll();
	const [call] = node.executions.flat();
	expect(call).toMatchObject({ id, assistant_name: 'Assistant 1' });
	expect(call).not.toHaveProperty('assistant_id');
	expect(node.warnings.join()).toContain('Some calls have no assistant_id');
});

it('the list of assistants is read for the first call, and not for the next', async () => {
	const node = pollNode(1);
	await node.publish();
	const before = await listings();
	await node.poll();
	expect(await listings()).toBe(before);
	for (let polls = 0; polls < 2; polls++) {
		await completeCalls(1);
		await node.poll();
		expect(await listings()).toBe(before + 1);
	}
});

it('a poll hands out what the service says where the list of assistants cannot be read', async () => {
	const node = pollNode(1);
	await node.publish();
	const [id] = await completeCalls(1);
	await control.fault({ operation: 'listAssistants', status: 404, times: 100 });
	await node.poll();
	expect(node.executions.flat()).toMatchObject([{ id, assistant_id: 1 }]);
	expect(node.warnings.join()).toContain('cannot be read');
});

describe('a call that has its assistant and its campaign as objects', () => {
	const call = (id: number, assistant: number, campaign: number) => ({
		...{ id, status: 'completed', created_at: '2100-03-02 09:00:00' },
		...{ assistant: { id: assistant, name: `Assistant ${assistant}` }, campaign: { id: campaign } },
	});
	const list = async (times = 1) =>
		await control.fault({
			operation: 'listCalls',
			status: 200,
			body: {
				data: [call(7001, 1, 5), call(7002, 2, 5), call(7003, 1, 6)],
				last_page: 1,
				total: 3,
			},
			times,
		});

	it('is compared by Get Many', async () => {
		// One for each item.
		await list(2);
		expect((await getManyOf(1)).ids).toEqual([7001, 7003]);
	});

	it('is compared by a poll', async () => {
		const node = pollNode(1);
		await node.publish();
		await list();
		await node.poll();
		expect(node.executions.flat()).toMatchObject([
			{ id: 7001, assistant_id: 1, assistant_name: 'Assistant 1' },
			{ id: 7003, assistant_id: 1 },
		]);
	});

	it('is compared by a poll for a campaign', async () => {
		const node = pollNode();
		node.parameters = { campaignIds: '6' };
		await node.publish();
		await list();
		await node.poll();
		expect(node.executions.flat()).toMatchObject([{ id: 7003, campaign_id: 6 }]);
	});
});

/** How often the list of assistants was read. */
const listings = async () =>
	(await control.requests()).filter(({ operation }) => operation === 'listAssistants').length;

async function rename(id: number, assistant_name: string): Promise<void> {
	const { status } = await alice.put(`/user/assistant/${id}`, { assistant_name });
	expect(status).toBe(200);
}
