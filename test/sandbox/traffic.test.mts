import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createSandbox } from '../../sandbox/index.mts';
import { rowsOf } from '../support/sandbox/client.mts';
import { asObject, objectsOf, type JsonObject } from '../support/sandbox/contract.mts';
import type { SandboxOptions } from '../support/sandbox/service.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { ALICE, BOB, newAssistant, NOW, twoUsers } from '../support/sandbox/seed.mts';

const CALLS = 2000;
const PER_PAGE = 100;
const A_YEAR_MS = 366 * 24 * 60 * 60 * 1000;

const folder = await mkdtemp(join(tmpdir(), 'traffic-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** All calls of Alice and what the sandbox did, with 2,000 calls of the past. */
async function traffic(options: SandboxOptions = {}) {
	await using own = await startOwnService({ traffic: CALLS, ...options });
	const calls: JsonObject[] = [];
	for (let page = 1; page <= CALLS / PER_PAGE; page += 1) {
		// The client compares each page with the contract.
		calls.push(...rowsOf(await own.alice.get('/user/calls', { per_page: PER_PAGE, page })));
	}
	const { body } = await own.control.request('GET', '/calls');
	// The port is part of it.
	const withoutAddress = (call: JsonObject): JsonObject => ({
		...call,
		recording_url: undefined,
	});
	return {
		calls: calls.map(withoutAddress),
		records: objectsOf(asObject(body, 'body').data).map(withoutAddress),
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
		for (const {
			type,
			lead_id,
			campaign_id,
			status,
			transcript,
			duration,
			total_cost,
		} of records) {
			expect([type, lead_id === null, campaign_id === null]).toEqual(
				type === 'inbound' ? ['inbound', true, true] : ['outbound', false, false],
			);
			const isAnswered = !['busy', 'no-answer', 'failed'].includes(String(status));
			expect([transcript !== '', Number(duration) > 0, Number(total_cost) > 0]).toEqual([
				isAnswered,
				isAnswered,
				isAnswered,
			]);
		}
	});

	it('calls nobody again who was reached, and nobody more than three times', () => {
		const byLead = Map.groupBy(
			records.filter(({ lead_id }) => lead_id !== null),
			({ lead_id }) => lead_id,
		);
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
		await own.control.outbound({ assistant_id: 1, to: '+4915112345677' });
		await own.control.advance('P1D');
		expect(await own.control.calls()).toHaveLength(51);
		await own.reset();
		expect(await own.control.calls()).toHaveLength(50);
	});

	it('goes into new data only: in a file with data it is not added, and the sandbox says so', async () => {
		const dataFile = join(folder, 'sandbox.db');
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

it('the user whose token is printed has the traffic', async () => {
	await using own = await startOwnService({ traffic: 5 });
	expect((await own.as(ALICE).get('/user/calls')).body).toMatchObject({ total: 5 });
});
