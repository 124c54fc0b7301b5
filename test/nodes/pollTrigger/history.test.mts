import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GOES_ON } from '../../../nodes/VoiceAssistantCallingPollTrigger/pollMessages.ts';
import { forAny } from '../../support/forAny.mts';
import { sampledRuns } from '../../support/sample.mts';
import { IDS, ORDERS, startCallList, type HistoryCall } from '../../support/trigger/callList.mts';
import { SCHEDULERS, type EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';
import { getFailure } from '../../support/trigger/testEnvironment.mts';

/** The steps have polls that fail. */
const FAILED = /^A poll failed: /;

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_S = 86_400;

/** For each order. */
const RUNS = sampledRuns(30);

const PUBLISHED_AT = Date.UTC(2026, 2, 2, 12);

const { list, begin, letPass } = await startCallList();

const seconds = (from: number, to: number) =>
	fc.integer({ min: from, max: to }).map((count) => count * SECOND_MS);

/** Half hours, as time zones differ. */
const halfHours = (from: number, to: number) =>
	fc.integer({ min: 2 * from, max: 2 * to }).map((count) => (count * HOUR_MS) / 2);

const wrongDate = fc.record({
	aheadMs: fc.oneof(halfHours(1, 48), seconds(DAY_S, 3_000 * DAY_S)),
	/** After the creation. Infinity: never. */
	correctedAfter: fc.oneof(seconds(0, 3_600), seconds(0, 12 * 3_600), fc.constant(Infinity)),
});

/** When calls are created and end, seen from the moment of publishing. */
const call = fc.record({
	createdAt: fc.oneof(seconds(-2 * DAY_S, 0), seconds(-7_000, 3_600), seconds(-7_000, 3 * DAY_S)),
	lasts: fc.oneof(seconds(0, 1_200), seconds(0, 20 * 3_600)),
	finalStatus: fc.constantFrom('completed', 'busy', 'ended'),
	wrongDate: fc.option(wrongDate, { freq: 15 }),
});

/** So few calls with a wrong date that they do not tell the time. */
const MAX_WRONG_DATES = 19;

/** The clock of the service from a moment on, and how far it is ahead of the real time. */
const serviceClock = fc.record({ from: seconds(-2 * DAY_S, 3 * DAY_S), aheadMs: halfHours(-8, 6) });

/** By days, if the clock is wrong. */
const n8nAheadMs = fc.oneof(fc.constant(0), halfHours(-2, 2), halfHours(-170, 170));

const STEPS = ['poll', 'overlapping polls', 'failing poll', 'restart', 'crash'] as const;

const step = fc.record({
	/** Milliseconds since the step before. */
	after: fc.oneof(seconds(0, 120), seconds(0, 7_200), seconds(0, 2 * DAY_S)),
	what: fc.oneof(fc.constant('poll' as const), fc.constantFrom(...STEPS)),
	n8nAheadMs,
});

const story = fc.record({
	maxPerPage: fc.constantFrom(1, 2, 3, 7, 20, 100),
	showId: fc.constantFrom<(id: number) => number | string>(...Object.values(IDS)),
	calls: fc.array(call, { maxLength: 80 }),
	serviceClocks: fc.oneof(fc.constant([]), fc.array(serviceClock, { maxLength: 4 })),
	n8nAheadMs,
	steps: fc.array(step, { minLength: 1, maxLength: 10 }),
	zoneMs: fc.integer({ min: -12, max: 14 }).map((hours) => hours * HOUR_MS),
	msPerRequest: fc.constantFrom(0, 0, SECOND_MS, 30 * SECOND_MS),
	/** With the last, a poll that n8n limits has time for three pages. */
	pageMs: fc.constantFrom(0, 0, 10 * SECOND_MS),
	scheduler: fc.constantFrom(...SCHEDULERS),
});

type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

function getHistory({ calls, serviceClocks }: Pick<Story, 'calls' | 'serviceClocks'>) {
	const clocks = serviceClocks.toSorted((a, b) => a.from - b.from);
	let wrongDates = 0;
	return calls
		.toSorted((a, b) => a.createdAt - b.createdAt)
		.map((call, index): HistoryCall => {
			const createdAt = PUBLISHED_AT + call.createdAt;
			const clock = clocks.findLast(({ from }) => from <= call.createdAt);
			const right = createdAt + (clock?.aheadMs ?? 0);
			const wrong = wrongDates < MAX_WRONG_DATES ? call.wrongDate : null;
			if (wrong) wrongDates++;
			const isWrongAt = (now: number) => wrong && now < createdAt + wrong.correctedAfter;
			return {
				id: index + 1,
				createdAt,
				endsAt: createdAt + call.lasts,
				finalStatus: call.finalStatus,
				shownAt: (now) => (wrong && isWrongAt(now) ? createdAt + wrong.aheadMs : right),
			};
		});
}

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
async function take(what: (typeof STEPS)[number], trigger: EmulatedPollNode): Promise<boolean> {
	const poll = () => untilRead(() => trigger.poll());
	if (what === 'poll') await poll();
	if (what === 'overlapping polls') {
		// With one schedule, polls of the durable scheduler do not overlap: they have less than a minute.
		const first = poll();
		if (trigger.scheduler !== 'in memory') await first;
		await Promise.all([first, poll()]);
	}
	if (what === 'restart') await trigger.restart();
	if (what === 'failing poll') {
		list.isDown = true;
		await getFailure(trigger.poll());
		list.isDown = false;
	}
	if (what !== 'crash') return false;
	const before = trigger.executions.length;
	await untilRead(() => trigger.poll(false));
	await trigger.restart();
	return trigger.executions.length > before;
}

describe('any history of calls, by any clock', () => {
	it.each(Object.entries(ORDERS))('is handed out once, in a list %s', async (_, compare) => {
		const property = async (story: Story) => {
			const { calls, serviceClocks, steps, scheduler, pageMs, ...behaviour } = story;
			const history = getHistory({ calls, serviceClocks });
			const statuses = ['completed', 'busy'];
			const idsThatEndAfter = (time: number) =>
				history
					.filter(({ finalStatus, endsAt }) => statuses.includes(finalStatus) && endsAt > time)
					.map(({ id }) => behaviour.showId(id));

			const trigger = begin(
				{ ...behaviour, history, compare },
				{ filters: { statuses } },
				scheduler,
			);
			await untilRead(() => trigger.publish());
			const startedAt = list.now;
			list.pageMs = pageMs;
			let mayRepeat = false;
			for (const { after, what, n8nAheadMs } of steps) {
				list.n8nAheadMs = n8nAheadMs;
				letPass(after);
				mayRepeat = (await take(what, trigger)) || mayRepeat;
				const open = idsThatEndAfter(list.now);
				expect(trigger.startedIds.filter((id) => open.includes(id))).toEqual([]);
			}
			list.now = Math.max(list.now, ...history.map(({ endsAt }) => endsAt));
			list.msPerRequest = 0;
			list.pageMs = 0;
			await trigger.poll();
			// Calls may have moved to pages that polls with little time had read before.
			if (pageMs > 0) await trigger.poll();

			const possible = idsThatEndAfter(PUBLISHED_AT);
			expect(idsThatEndAfter(startedAt).filter((id) => !trigger.startedIds.includes(id))).toEqual(
				[],
			);
			expect(trigger.startedIds.filter((id) => !possible.includes(id))).toEqual([]);
			if (!mayRepeat) expect(trigger.startedIds).toHaveLength(new Set(trigger.startedIds).size);
			expect(
				trigger.warnings.filter((warning) => warning !== GOES_ON && !FAILED.test(warning)),
			).toEqual([]);
		};
		await forAny(story, property, { numRuns: RUNS });
	});
});
