import { describe, expect, it } from '@jest/globals';
import {
	MAX_KNOWN,
	WATCHED_MS,
	advanceCursor,
	emptyCursor,
	recentOf,
	type CallsRead,
	type Cursor,
} from '../../../nodes/VoiceAssistantCallingPollTrigger/cursor.ts';
import type { ListedCall } from '../../../nodes/VoiceAssistantCallingPollTrigger/listedCall.ts';

const NOON = Date.UTC(2026, 2, 2, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const call = (id: number, createdAt: number, isFinal = true): ListedCall => ({
	id: String(id),
	createdAt,
	isFinal,
	json: {},
});

/** Calls that tell the time, because so many are hardly wrong. */
const recentCalls = (time: number, firstId: number): ListedCall[] =>
	Array.from({ length: 20 }, (_, index) => call(firstId + index, time));

/** What a poll reads that skips nothing. */
const read = (...calls: ListedCall[]): CallsRead => ({
	calls,
	recent: recentOf(calls.map(({ createdAt }) => createdAt)),
	counted: { total: calls.length, readAllAt: NOON },
	gone: [],
});

/** The next poll, with the clock of n8n an hour after the last call. */
const advance = (cursor: Cursor, ...calls: ListedCall[]) =>
	advanceCursor(
		cursor,
		read(...calls),
		Math.max(...calls.map(({ createdAt }) => createdAt)) + HOUR_MS,
	);

const start = (...calls: ListedCall[]) => advance(emptyCursor(undefined, NOON), ...calls).cursor;

const idsOf = (calls: ListedCall[]) => calls.map(({ id }) => Number(id));

describe('the cursor', () => {
	it('does not take back that a call has finished when a slower poll still saw it open', () => {
		const first = advance(start(call(1, NOON, false)), call(1, NOON));
		const slower = advance(first.cursor, call(1, NOON, false));
		const next = advance(slower.cursor, call(1, NOON));
		expect([first, slower, next].map(({ newlyFinished }) => idsOf(newlyFinished))).toEqual([
			[1],
			[],
			[],
		]);
	});

	it('takes a call once that comes twice, because the list shifted', () => {
		const later = NOON + MINUTE_MS;
		const { newlyFinished } = advance(start(call(1, NOON)), call(2, later, false), call(2, later));
		expect(idsOf(newlyFinished)).toEqual([2]);
	});

	it('hands out nothing when a call changes from one final status to another', () => {
		const { cursor } = advance(start(call(1, NOON)), call(2, NOON));
		expect(advance(cursor, call(2, NOON)).newlyFinished).toEqual([]);
	});

	it('hands out a call that comes with the time of an earlier one', () => {
		const { newlyFinished } = advance(
			start(...recentCalls(NOON, 1)),
			call(21, NOON - WATCHED_MS + 1),
		);
		expect(idsOf(newlyFinished)).toEqual([21]);
	});

	it('forgets finished calls, and does not take them for new', () => {
		const later = NOON + WATCHED_MS + HOUR_MS;
		const { cursor } = advance(start(call(1, NOON)), ...recentCalls(later, 2));
		expect(cursor.finished.size).toBe(20);
		expect(cursor.finished.has('1')).toBe(false);
		expect(advance(cursor, call(1, NOON)).newlyFinished).toEqual([]);
	});

	it('waits for an open call for a day, and then gives it up', () => {
		const [almost, after] = [WATCHED_MS, WATCHED_MS + 1].map(
			(ms) =>
				advance(start(call(1, NOON, false)), call(1, NOON, false), ...recentCalls(NOON + ms, 2))
					.cursor,
		);
		expect([...(almost?.open.keys() ?? [])]).toEqual(['1']);
		expect(after?.open.size).toBe(0);
	});

	it('hands out a call that finished after days without a poll', () => {
		const { newlyFinished } = advance(
			start(call(1, NOON, false)),
			call(1, NOON),
			...recentCalls(NOON + 5 * WATCHED_MS, 2).map((recent) => ({ ...recent, isFinal: false })),
		);
		expect(idsOf(newlyFinished)).toEqual([1]);
	});

	it.each([19, 1])('is not moved by %i calls that are dated in the future', (count) => {
		const future = recentCalls(Date.UTC(2099, 0, 1), 100).slice(0, count);
		const calls = [...recentCalls(NOON, 1), ...future];
		const { cursor } = advanceCursor(start(...recentCalls(NOON, 1)), read(...calls), Infinity);
		expect([cursor.watchedSince, cursor.knownSince]).toEqual([
			NOON - WATCHED_MS,
			NOON - WATCHED_MS,
		]);
	});

	it("is not moved by the service's clock beyond n8n's, whatever that of the service says", () => {
		const calls = recentCalls(Date.UTC(2099, 0, 1), 1);
		const { cursor } = advanceCursor(start(), read(...calls), NOON);
		expect(cursor.knownSince).toBe(NOON - WATCHED_MS);
	});

	it('never moves back', () => {
		const later = start(...recentCalls(NOON + WATCHED_MS, 1));
		const { cursor } = advance(later, ...recentCalls(NOON, 21));
		expect([cursor.watchedSince, cursor.knownSince]).toEqual([NOON, NOON]);
	});

	it('keeps as much as the calls of a day need, however many there were', () => {
		const perMinute = (count: number) => {
			let cursor = start(call(0, NOON));
			for (let id = 20; id <= count; id += 20) {
				const calls = Array.from({ length: 20 }, (_, index) =>
					call(id + index, NOON + (id + index) * MINUTE_MS),
				);
				({ cursor } = advance(cursor, ...calls));
			}
			return cursor.finished.size;
		};
		const [oneDay, days] = [perMinute(2_000), perMinute(5_000)];
		expect(days).toBe(oneDay);
		expect(days).toBeLessThan(24 * 60 + 100);
	});

	it('keeps 10,000 finished calls, and all of the last two hours', () => {
		const of = (count: number, overMs: number) =>
			start(
				...Array.from({ length: count }, (_, index) =>
					call(index, NOON - Math.round((index * overMs) / count)),
				),
			).finished.size;
		expect(of(20_000, WATCHED_MS)).toBeLessThanOrEqual(MAX_KNOWN);
		expect(of(20_000, WATCHED_MS)).toBeGreaterThan(MAX_KNOWN - 1_000);
		expect(of(20_000, HOUR_MS)).toBe(20_000);
	});
});
