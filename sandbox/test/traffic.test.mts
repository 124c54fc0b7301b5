import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startCall } from './support/calls.mts';
import { createSandbox } from '../index.mts';
import { getRows } from './support/client.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { folderPerTest } from './support/process.mts';
import { startOwnService } from './support/testService.mts';
import { BOB, newAssistant, NOW, twoUsers } from './support/seed.mts';

const CALLS = 1000;
const PER_PAGE = 100;
const A_YEAR_MS = 366 * 24 * 60 * 60 * 1000;

const folder = folderPerTest();

/** All calls of Alice and what the sandbox did, with 1,000 calls of the past. */
async function traffic() {
	await using own = await startOwnService({ traffic: CALLS });
	const calls: JsonObject[] = [];
	for (let page = 1; page <= CALLS / PER_PAGE; page += 1) {
		// The client compares each page with the contract.
		calls.push(...getRows(await own.alice.get('/user/calls', { per_page: PER_PAGE, page })));
	}
	// The port is part of it.
	const withoutAddress = (call: JsonObject): JsonObject => ({ ...call, recording_url: undefined });
	return {
		calls: calls.map(withoutAddress),
		records: (await own.control.calls()).map(withoutAddress),
		deliveries: await own.control.deliveries(),
		bob: asObject((await own.bob.get('/user/calls')).body, 'body').total,
	};
}

const { calls, records, deliveries, bob } = await traffic();

describe('traffic', () => {
	it('is so many calls of the first user, within the last year, the newest first', () => {
		expect(calls).toHaveLength(CALLS);
		expect(bob).toBe(0);
		expect(deliveries).toEqual([]);
		const times = calls.map((call) => Date.parse(`${String(call.created_at)}Z`));
		const now = Date.parse(NOW);
		expect(Math.max(...times)).toBeLessThanOrEqual(now);
		expect(Math.min(...times)).toBeGreaterThan(now - A_YEAR_MS);
		expect(times).toEqual(times.toSorted((a, b) => b - a));
		for (let quarter = 0; quarter < 4; quarter += 1) {
			const end = now - (quarter * A_YEAR_MS) / 4;
			const inQuarter = times.filter((time) => time <= end && time > end - A_YEAR_MS / 4);
			expect(inQuarter.length).toBeGreaterThan(CALLS / 5);
		}
	});

	it('has leads in campaigns, inbound calls, all outcomes, transcripts and costs', () => {
		expect(new Set(calls.map(({ type }) => type))).toEqual(new Set(['inbound', 'outbound']));
		expect(new Set(calls.map(({ campaign_name }) => campaign_name)).size).toBe(13);
		expect(new Set(records.map(({ scenario }) => scenario))).toEqual(
			new Set([
				...['answered', 'no-answer', 'voicemail', 'ended_by_customer', 'busy', 'failed'],
				...['hung-up-early', 'long-call', 'transferred'],
			]),
		);
		for (const call of records) {
			const isInbound = call.type === 'inbound';
			expect([call.lead_id === null, call.campaign_id === null]).toEqual([isInbound, isInbound]);
			const isAnswered = !['busy', 'no-answer', 'failed'].includes(String(call.status));
			const { transcript, duration, total_cost } = call;
			const found = [transcript !== '', Number(duration) > 0, Number(total_cost) > 0];
			expect(found).toEqual([isAnswered, isAnswered, isAnswered]);
		}
	});

	it('calls nobody again who was reached, and nobody more than three times', () => {
		const outbound = records.filter(({ lead_id }) => lead_id !== null);
		const byLead = Map.groupBy(outbound, ({ lead_id }) => lead_id);
		for (const attempts of byLead.values()) {
			expect(attempts.length).toBeLessThanOrEqual(3);
			const reached = attempts.map(
				({ answered_by, duration }) => answered_by !== 'machine' && Number(duration) > 0,
			);
			expect(reached.indexOf(true)).toBe(reached.includes(true) ? attempts.length - 1 : -1);
		}
	});

	it('is the same every time', async () => {
		expect(await traffic()).toEqual({ calls, records, deliveries, bob });
	});

	it('comes back after a reset, and the sandbox goes on as usual', async () => {
		await using own = await startOwnService({ traffic: 50 });
		await startCall(own, { to: '+4915112345677' });
		await own.control.advance('P1D');
		expect(await own.control.calls()).toHaveLength(51);
		await own.reset();
		expect(await own.control.calls()).toHaveLength(50);
	});

	it('has leads that are called once more when they are set to created', async () => {
		await using own = await startOwnService({ traffic: 50 });
		const past = await own.control.calls();
		const call = past.find(({ lead_id, status }) => lead_id !== null && status === 'completed');
		const start = { campaign_id: call?.campaign_id, action: 'start' };
		await own.alice.post('/user/campaigns/update-status', start);
		await own.control.advance('P1D');
		const before = await own.control.calls();
		await own.alice.put(`/user/leads/${String(call?.lead_id)}`, { status: 'created' });
		const added = (await own.control.calls()).slice(before.length);
		expect(added.map(({ lead_id }) => lead_id)).toEqual([call?.lead_id]);
	});

	it('goes into new data only: in a file with data it is not added, and the sandbox says so', async () => {
		const dataFile = join(folder(), 'sandbox.db');
		const told: string[] = [];
		const start = async () => {
			const inform = (message: string) => told.push(message);
			await using own = await startOwnService({ dataFile, traffic: 20, inform });
			return (await own.control.calls()).length;
		};
		expect(await start()).toBe(20);
		expect(told).toEqual([]);
		expect(await start()).toBe(20);
		expect(told).toEqual([expect.stringMatching(/no traffic was added.*another file/)]);
	});

	it('goes by the mix of the campaigns that an assistant has', async () => {
		const [alice] = twoUsers().users;
		const campaigns = [{ id: 1, name: 'C', assistant_id: 1, mix: { busy: 1 } }];
		const assistants = [{ ...newAssistant, id: 1 }];
		const seed = { users: [{ ...alice, leads: [], tools: [], assistants, campaigns }] };
		await using own = await startOwnService({ seed, traffic: 30 });
		const statuses = (await own.control.calls()).map(({ status }) => status);
		expect(new Set(statuses)).toEqual(new Set(['busy']));
	});

	it.each([
		[{ traffic: 5, seed: { users: [{ token: BOB }] } }, /needs an assistant.*Add one to the seed/],
		[{ traffic: -1 }, /whole number/],
		[{ traffic: 1.5 }, /whole number/],
	])('%j is refused', async (options, message) => {
		await expect(createSandbox({ port: 0, ...options })).rejects.toThrow(message);
	});
});
