import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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

/** An ID of each kind that a service can give. */
const IDS = {
	'numbers that rise': (id: number) => id,
	'numbers in any order': shuffled,
	texts: (id) => `call-${shuffled(id)}`,
} satisfies Record<string, (id: number) => number | string>;

/** Half hours, as time zones differ. */
const halfHours = (from: number, to: number) =>
	fc.integer({ min: 2 * from, max: 2 * to }).map((count) => (count * HOUR_MS) / 2);

/** The clock of the service from a moment on, and how far it is ahead of the real time. */
const serviceClock = fc.record({ from: seconds(-2 * DAY_S, 3 * DAY_S), aheadMs: halfHours(-8, 6) });

const wrongDate = fc.record({
	aheadMs: fc.oneof(halfHours(1, 48), seconds(DAY_S, 3_000 * DAY_S)),
	/** After the creation. Infinity: never. */
	correctedAfter: fc.oneof(seconds(0, 3_600), seconds(0, 12 * 3_600), fc.constant(Infinity)),
});

const datedCall = fc.record({
	createdAt: fc.oneof(seconds(-2 * DAY_S, 0), seconds(-7_000, 3_600), seconds(-7_000, 3 * DAY_S)),
	lasts: fc.oneof(seconds(0, 1_200), seconds(0, 8 * 3_600)),
	wrongDate: fc.option(wrongDate, { freq: 15 }),
});

/** So few calls with a wrong date that they do not tell the time. */
const MAX_WRONG_DATES = 19;

const calendar = fc.record({
	maxPerPage: fc.constantFrom(1, 2, 3, 7, 20, 100),
	showId: fc.constantFrom(...Object.values(IDS)),
	calls: fc.array(datedCall, { maxLength: 80 }),
	serviceClocks: fc.array(serviceClock, { maxLength: 4 }),
	n8nAtPublish: halfHours(-170, 170),
	steps: fc.array(fc.record({ step, n8nAheadMs: fc.oneof(fc.constant(0), halfHours(-170, 170)) }), {
		minLength: 1,
		maxLength: 10,
	}),
	msPerRequest: fc.constantFrom(0, 0, SECOND_MS, 30 * SECOND_MS),
});

type Calendar = typeof calendar extends fc.Arbitrary<infer Value> ? Value : never;

function datedHistory({ calls, serviceClocks }: Calendar, publishedAt: number): HistoryCall[] {
	const clocks = serviceClocks.toSorted((a, b) => a.from - b.from);
	let wrongDates = 0;
	return calls
		.toSorted((a, b) => a.createdAt - b.createdAt)
		.map((call, index) => {
			const createdAt = publishedAt + call.createdAt;
			const right =
				createdAt + (clocks.findLast(({ from }) => from <= call.createdAt)?.aheadMs ?? 0);
			const wrong = wrongDates < MAX_WRONG_DATES ? call.wrongDate : null;
			if (wrong) wrongDates++;
			const isWrongAt = (now: number) => wrong && now < createdAt + wrong.correctedAfter;
			return {
				id: index + 1,
				createdAt,
				endsAt: createdAt + call.lasts,
				finalStatus: 'completed',
				shownAt: (now) => (wrong && isWrongAt(now) ? createdAt + wrong.aheadMs : right),
			};
		});
}

describe('any calendar', () => {
	let n8nNow = 0;

	beforeEach(() => {
		jest.spyOn(Date, 'now').mockImplementation(() => n8nNow);
	});

	afterEach(() => {
		jest.restoreAllMocks();
	});

	it.each(Object.entries(ORDERS))('hands out each call once, in a list %s', async (_, compare) => {
		const property = async (story: Calendar) => {
			const publishedAt = Date.UTC(2026, 2, 2, 12);
			const history = datedHistory(story, publishedAt);
			const { showId, maxPerPage, msPerRequest } = story;
			list = {
				history,
				compare,
				maxPerPage,
				zoneMs: 0,
				msPerRequest,
				now: publishedAt,
				requestCount: 0,
				isDown: false,
				showId,
			};
			const trigger = new PollNode(n8nWith({ baseUrl: url, apiToken: 'token' }));
			n8nNow = list.now + story.n8nAtPublish;
			await untilRead(() => trigger.publish());
			const startedAt = list.now;

			let mayRepeat = false;
			for (const { step, n8nAheadMs } of story.steps) {
				list.now += step.after;
				n8nNow = list.now + n8nAheadMs;
				mayRepeat = (await take(step.what, trigger)) || mayRepeat;
			}
			list.now = Math.max(list.now, ...history.map(({ endsAt }) => endsAt));
			list.msPerRequest = 0;
			await trigger.poll();

			const idsOf = (calls: HistoryCall[]) => calls.map(({ id }) => showId(id));
			const due = idsOf(history.filter(({ endsAt }) => endsAt > startedAt));
			const possible = idsOf(history.filter(({ endsAt }) => endsAt > publishedAt));
			const started = trigger.executions.flat().map(({ id }) => id as number | string);
			expect(due.filter((id) => !started.includes(id))).toEqual([]);
			expect(started.filter((id) => !possible.includes(id))).toEqual([]);
			if (!mayRepeat) expect(started).toHaveLength(new Set(started).size);
			expect(trigger.warnings).toEqual([]);
		};
		await fc.assert(fc.asyncProperty(calendar, property), { numRuns: RUNS });
	});
});
