import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { n8nWith } from '../../support/n8n/n8n.mts';
import {
	startCallList,
	type CallListBehaviour,
	type HistoryCall,
} from '../../support/trigger/callList.mts';
import { PollNode } from '../../support/trigger/pollNode.mts';
import { failureOf } from '../../support/trigger/testEnvironment.mts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** For each order. */
const RUNS = 15;

let list: CallListBehaviour;
const { url } = await startCallList(() => list);

/** Changes the digits of an id, so that an order by it looks like none. */
const shuffled = (id: number) => (id * 7_919) % 10_007;

const ORDERS: Record<string, CallListBehaviour['compare']> = {
	'newest first': (a, b) => b.createdAt - a.createdAt || b.id - a.id,
	'newest first, the same second in another order': (a, b) =>
		b.createdAt - a.createdAt || a.id - b.id,
	'oldest first': (a, b) => a.createdAt - b.createdAt || a.id - b.id,
	'by id': (a, b) => a.id - b.id,
	'by id, the highest first': (a, b) => b.id - a.id,
	'last changed first': (a, b, updatedAt) => updatedAt(b) - updatedAt(a) || b.id - a.id,
	'last changed last': (a, b, updatedAt) => updatedAt(a) - updatedAt(b) || a.id - b.id,
	'without order': (a, b) => shuffled(a.id) - shuffled(b.id),
};

const seconds = (from: number, to: number) =>
	fc.integer({ min: from, max: to }).map((count) => count * SECOND_MS);

const DAY_S = 86_400;

/** When calls are created and end, seen from the moment of publishing. */
const call = fc.record({
	createdAt: fc.oneof(seconds(-7_000, 3_600), seconds(-7_000, 3 * DAY_S)),
	lasts: fc.oneof(seconds(0, 1_200), seconds(0, 20 * 3_600)),
	finalStatus: fc.constantFrom('completed', 'busy', 'ended'),
});

const STEPS = ['poll', 'overlapping polls', 'failing poll', 'restart', 'crash'] as const;

const step = fc.record({
	/** Milliseconds since the step before. */
	after: fc.oneof(seconds(0, 120), seconds(0, 7_200), seconds(0, 2 * DAY_S)),
	what: fc.oneof(fc.constant('poll' as const), fc.constantFrom(...STEPS)),
});

const story = fc.record({
	maxPerPage: fc.constantFrom(1, 2, 3, 7, 20, 100),
	calls: fc.array(call, { maxLength: 60 }),
	steps: fc.array(step, { minLength: 1, maxLength: 10 }),
	zoneMs: fc.integer({ min: -12, max: 14 }).map((hours) => hours * HOUR_MS),
	skewMs: fc.integer({ min: -120, max: 120 }).map((minutes) => minutes * MINUTE_MS),
	msPerRequest: fc.constantFrom(0, 0, SECOND_MS, 30 * SECOND_MS),
});

type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

/** Seconds, because the times of the service have no more digits. */
const thisSecond = () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS;

const historyOf = (calls: Story['calls'], publishedAt: number): HistoryCall[] =>
	calls
		.toSorted((a, b) => a.createdAt - b.createdAt)
		.map(({ createdAt, lasts, finalStatus }, index) => ({
			id: index + 1,
			createdAt: publishedAt + createdAt,
			endsAt: publishedAt + createdAt + lasts,
			finalStatus,
		}));

/**
 * Repeats what fails because the list shifted by exactly one page, which looks like a service that ignores
 * the number of the page.
 */
async function untilRead(work: () => Promise<void>): Promise<void> {
	for (;;) {
		try {
			await work();
			return;
		} catch (error) {
			const isShift = error instanceof Error && error.message.includes('sent another page');
			if (!isShift) throw error;
		}
	}
}

/** One step of the story. @returns whether n8n lost what it knew of an execution that it started */
async function take(what: (typeof STEPS)[number], trigger: PollNode): Promise<boolean> {
	const poll = () => untilRead(() => trigger.poll());
	if (what === 'poll') await poll();
	if (what === 'overlapping polls') await Promise.all([poll(), poll()]);
	if (what === 'restart') await trigger.restart();
	if (what === 'failing poll') {
		list.isDown = true;
		await failureOf(trigger.poll());
		list.isDown = false;
	}
	if (what !== 'crash') return false;
	const before = trigger.executions.length;
	await untilRead(() => trigger.poll(false));
	await trigger.restart();
	return trigger.executions.length > before;
}

/** The calls that started an execution before they had finished. */
const tooEarly = (trigger: PollNode) => {
	const ends = new Map(list.history.map(({ id, endsAt }) => [id, endsAt]));
	return trigger.startedIds.filter((id) => (ends.get(id) ?? Infinity) > list.now);
};

describe('any history of calls', () => {
	it.each(Object.keys(ORDERS))('is handed out once, in a list %s', async (order) => {
		const compare = ORDERS[order];
		if (!compare) throw new Error('There is no such order');
		const property = async ({ calls, steps, skewMs, ...behaviour }: Story) => {
			const publishedAt = thisSecond() + skewMs;
			const history = historyOf(calls, publishedAt);
			list = {
				...behaviour,
				compare,
				history,
				now: publishedAt,
				requestCount: 0,
				isDown: false,
			};
			const trigger = new PollNode(n8nWith({ baseUrl: url, apiToken: 'token' }), {
				filters: { statuses: ['completed', 'busy'] },
			});
			await untilRead(() => trigger.publish());
			const startedAt = list.now;

			let mayRepeat = false;
			for (const { after, what } of steps) {
				list.now += after;
				mayRepeat = (await take(what, trigger)) || mayRepeat;
				expect(tooEarly(trigger)).toEqual([]);
			}
			list.now = Math.max(list.now, ...history.map(({ endsAt }) => endsAt));
			list.msPerRequest = 0;
			await trigger.poll();

			const matching = history.filter(({ finalStatus }) => finalStatus !== 'ended');
			const idsOf = (chosen: HistoryCall[]) => chosen.map(({ id }) => id);
			const due = idsOf(matching.filter(({ endsAt }) => endsAt > startedAt));
			const possible = idsOf(matching.filter(({ endsAt }) => endsAt > publishedAt));
			const started = trigger.startedIds;
			expect(due.filter((id) => !started.includes(id))).toEqual([]);
			expect(started.filter((id) => !possible.includes(id))).toEqual([]);
			if (!mayRepeat) expect(started).toHaveLength(new Set(started).size);
		};
		await fc.assert(fc.asyncProperty(story, property), {
			numRuns: RUNS,
		});
	});
});
