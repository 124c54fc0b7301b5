import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, fromList } from '../../../support/n8n/operations.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { n8nAt, pageIn, pageOf } from '../../../support/n8n/stubService.mts';
import { holdTime, passTime, useRealTime } from '../../../support/n8n/time.mts';
import { callsOfThePast, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { newAssistant } from '../../../../sandbox/test/support/seed.mts';

/**
 * Voice Assistant → Get and Get Webhook Status read a list, because the service gives no assistant alone. Call →
 * Get does so at a provider that gives no call alone, as all do in this file.
 */
const assistants = Array.from({ length: 250 }, (_, index) => ({
	...newAssistant,
	id: 1001 + index,
}));
const calls = callsOfThePast(250).map((call) => ({
	...call,
	assistant_id: 1001,
	campaign_id: undefined,
}));
const { n8n, sent, fault } = await startTestEnvironment({
	assistants,
	calls,
	campaigns: [],
	leads: [],
});
const startServer = stubServersPerTest();
afterEach(useRealTime);

const GET_CALL: INodeParameters = { resource: 'call', operation: 'get' };
const GET_ASSISTANT: INodeParameters = { resource: 'assistant', operation: 'get' };

const LACKED = { status: 404, body: { message: 'The route could not be found.' } };

beforeEach(() => fault({ ...LACKED, operation: 'getCall', times: 1000 }));

const listsSent = async () => (await sent()).filter(({ path }) => !path.includes('/calls/'));

const pagesSent = async () =>
	(await listsSent()).map(({ query }) => Number((query as { page: string }).page));

/** Starts a service that responds with the pages of a list. */
async function listing(
	respond: (page: number, index: number) => StubResponse | Promise<StubResponse>,
) {
	let isKnown = false;
	const server = await startServer(({ url }, index) => {
		if (url.includes('/calls/')) return LACKED;
		return isKnown ? respond(pageIn(url), index) : { body: pageOf([{ id: 1 }]) };
	});
	const there = n8nAt(server);
	// From now on, the node knows that this provider gives no call alone.
	await there.runNode({ parameters: { ...GET_CALL, callId: byId('1') } });
	server.requests.length = 0;
	isKnown = true;
	return { server, n8n: there };
}

const rows = (from: number, count = 100): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: from + index, status: 'completed' }));

describe.each([
	['a call', GET_CALL, 'callId', 0],
	['an assistant', GET_ASSISTANT, 'assistantId', 1000],
] as const)('%s', (_what, operation, field, before) => {
	it.each([
		['by ID', byId, 1, [1]],
		['from the list', (id: string) => fromList(id, 'Its entry'), 100, [1]],
		['by a plain value', (id: string) => id, 150, [1, 2]],
		['by an expression', (id: string) => byId(`={{ ${id} }}`), 250, [1, 2, 3]],
	])('is found %s, and no page is read for nothing', async (_how, picked, number, pages) => {
		const id = before + number;
		const parameters = { ...operation, [field]: picked(String(id)) };
		const { output, error } = await n8n.runNode({ parameters });
		expect(error).toBeUndefined();
		expect(output[0]).toEqual([{ json: expect.objectContaining({ id }), pairedItem: { item: 0 } }]);
		expect(await pagesSent()).toEqual(pages);
	});

	it('that does not exist is named after the whole list', async () => {
		const { error } = await n8n.runNode({
			parameters: { ...operation, [field]: byId(before + 200_251) },
		});
		expect(error).toMatchObject({
			message: expect.stringMatching(/^(Call|Assistant) not found$/),
			description: expect.stringMatching(/^Check the ID[.,]/),
		});
		expect(await pagesSent()).toEqual([1, 2, 3]);
	});

	it.each([true, false])(
		'belongs to each item alone, and its page is requested once (simplified: %j)',
		async (simplify) => {
			const parameters = { ...operation, [field]: byId(before + 1), simplify };
			const { output } = await n8n.runNode({ parameters, items: [{}, {}] });
			const [first, second] = output[0].map(({ json }) => json);
			expect(first).toEqual(second);
			expect(first).not.toBe(second);
			expect(first?.variables).not.toBe(second?.variables);
			expect(await pagesSent()).toEqual([1]);
		},
	);

	it('is missed by some of many items: each page is requested once all the same', async () => {
		const { output } = await n8n.runNode({
			parameters: { ...operation, [field]: byId('={{ $json.id }}') },
			items: Array.from({ length: 300 }, (_, index) => ({
				id: before + 101 + index + (index < 150 ? 0 : 200_000),
			})),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output.map((each) => each.length)).toEqual([150, 150]);
		expect(await pagesSent()).toEqual([1, 2, 3]);
	});

	it('that is far back is found by several requests at the same time, at most twice as many as its pages', async () => {
		const list = await listing(async (page) => {
			// Without another request at the same time, this page would never come.
			if (page === 5) await list.server.arrived(6);
			return { body: pageOf(rows(page * 1000), { total: 2000, last_page: 20 }) };
		});
		const { output } = await list.n8n.runNode({
			parameters: { ...operation, [field]: byId('7000') },
		});
		expect(output[0]).toHaveLength(1);
		expect(list.server.requests.length).toBeLessThanOrEqual(2 * 7);
	});

	it('is found before a page that cannot be read, which is not requested again after the run', async () => {
		const list = await listing(async (page) => {
			if (page === 3) {
				await list.server.arrived(4);
				await list.server.requests.find(({ url }) => pageIn(url) === 4)?.closed;
			}
			if (page === 4) return { status: 500 };
			return { body: pageOf(rows(page * 1000), { total: 600, last_page: 6 }) };
		});
		const get = async (id: string) =>
			await list.n8n.runNode({ parameters: { ...operation, [field]: byId(id) } });
		holdTime();
		expect((await get('3000')).output[0]).toHaveLength(1);
		await passTime(60_000);
		expect((await get('1000')).output[0]).toHaveLength(1);
		const read = list.server.requests.map(({ url }) => pageIn(url));
		expect(read.filter((page) => page === 4)).toHaveLength(1);
	});

	it('is found in a list that shrinks while it is read', async () => {
		const list = await listing((page) => ({
			body: pageOf(
				rows(page * 1000, page === 1 ? 100 : 50),
				page === 1 ? { total: 300, last_page: 3 } : { total: 150, last_page: 2 },
			),
		}));
		const parameters = { ...operation, [field]: byId('2049') };
		const { output } = await list.n8n.runNode({ parameters });
		expect(output[0][0]?.json).toMatchObject({ id: 2049 });
	});

	it('is found after a page that could not be read: the next item begins again', async () => {
		const list = await listing((page, index) =>
			index === 0
				? { status: 403, body: { message: 'Not now' } }
				: { body: pageOf(rows(page * 1000)) },
		);
		const { output } = await list.n8n.runNode({
			parameters: { ...operation, [field]: byId('1000') },
			items: Array.from({ length: 100 }, () => ({})),
			settings: { onError: 'continueErrorOutput' },
		});
		const [found, failed] = output.map((each) => each.length);
		expect(failed).toBeGreaterThan(0);
		expect(failed).toBeLessThanOrEqual(20);
		expect(found).toBe(100 - Number(failed));
		expect(list.server.requests).toHaveLength(2);
	});
});

describe('a call far back in the list', () => {
	it('is looked for in 20 pages, and then the message asks for a date', async () => {
		const list = await listing((page) => ({
			body: pageOf(rows(page * 1000), { total: 1_000_000, last_page: 10_000 }),
		}));
		const { error } = await list.n8n.runNode({
			parameters: { ...GET_CALL, callId: byId('5') },
			items: [{}, {}, {}],
			settings: { onError: 'stopWorkflow' },
		});
		expect(error).toMatchObject({
			message: 'Call not found',
			description: expect.stringContaining(
				"It is not among the 2,000 calls that were read. Check the ID, or add 'From Date' and 'To Date' under Options with the day of the call.",
			),
		});
		expect(list.server.requests).toHaveLength(20);
	});

	it('is found with the day of the call', async () => {
		const { output } = await n8n.runNode({
			parameters: {
				...GET_CALL,
				callId: byId('200'),
				options: { dateFrom: '2026-02-10T09:00:00', dateTo: '2026-02-10' },
			},
		});
		expect(output[0][0]?.json).toMatchObject({ id: 200 });
		const day = { date_from: '2026-02-10', date_to: '2026-02-10' };
		expect((await listsSent())[0]?.query).toEqual({ ...day, page: '1', per_page: '100' });
	});

	it('is looked for in another list for each day, and only the last lists are kept', async () => {
		const days = Array.from({ length: 12 }, (_, index) => `2026-02-${10 + index}`);
		const parameters = {
			...GET_CALL,
			callId: byId('1'),
			options: { dateFrom: '={{ $json.day }}' },
		};
		const list = await listing(() => ({ body: pageOf([{ id: 1 }]) }));
		const items = [...days, ...days, days[11]].map((day) => ({ day }));
		const { output } = await list.n8n.runNode({ parameters, items });
		expect(output[0]).toHaveLength(25);
		// Ten lists are kept, so the second round reads all 12 again, and the last item none.
		expect(list.server.requests).toHaveLength(24);
	});
});

it('a deleted assistant is not found', async () => {
	const list = await listing(() => ({
		body: pageOf([{ id: 7, deleted_at: '2026-01-01T00:00:00.000000Z' }]),
	}));
	const { error } = await list.n8n.runNode({
		parameters: { ...GET_ASSISTANT, assistantId: byId('7') },
	});
	expect(error?.message).toBe('Assistant not found');
});
