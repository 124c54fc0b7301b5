import { describe, expect, it } from '@jest/globals';
import {
	LONGEST_CALL_MS,
	REMEMBERED_MS,
	advanceCursor,
	startCursor,
	type CallsRead,
} from '../../../nodes/VoiceAssistantCallingPollTrigger/cursor.ts';
import type { ListedCall } from '../../../nodes/VoiceAssistantCallingPollTrigger/listedCall.ts';

const NOON = Date.UTC(2026, 2, 2, 12);
const MINUTE_MS = 60_000;

const call = (id: number, createdAt: number, isFinal: boolean): ListedCall => ({
	id: String(id),
	createdAt,
	isFinal,
	json: {},
});

/** What a poll reads that skips nothing. */
const read = (...calls: ListedCall[]): CallsRead => ({
	calls,
	newest: Math.max(...calls.map(({ createdAt }) => createdAt)),
	isComplete: true,
});

const idsOf = (calls: ListedCall[]) => calls.map(({ id }) => Number(id));

describe('the cursor', () => {
	it('does not take back that a call has finished when a slower poll still saw it open', () => {
		const start = startCursor(read(call(1, NOON, false)), NOON);
		const first = advanceCursor(start, read(call(1, NOON, true)));
		const slower = advanceCursor(first.cursor, read(call(1, NOON, false)));
		const next = advanceCursor(slower.cursor, read(call(1, NOON, true)));
		expect([first, slower, next].map(({ newlyFinished }) => idsOf(newlyFinished))).toEqual([
			[1],
			[],
			[],
		]);
	});

	it('takes a call once that comes twice, because the list shifted', () => {
		const start = startCursor(read(call(1, NOON, true)), NOON);
		const later = NOON + MINUTE_MS;
		const { newlyFinished } = advanceCursor(
			start,
			read(call(2, later, false), call(2, later, true)),
		);
		expect(idsOf(newlyFinished)).toEqual([2]);
	});

	it('hands out nothing when a call changes from one final status to another', () => {
		const start = startCursor(read(call(1, NOON, true)), NOON);
		const { cursor } = advanceCursor(start, read(call(2, NOON, true)));
		expect(advanceCursor(cursor, read(call(2, NOON, true))).newlyFinished).toEqual([]);
	});

	it('forgets finished calls, and does not take them for new', () => {
		const start = startCursor(read(call(1, NOON, true)), NOON);
		const later = NOON + REMEMBERED_MS + 1;
		const { cursor } = advanceCursor(start, read(call(2, later, true)));
		expect(Object.keys(cursor.finished)).toEqual(['2']);
		expect(advanceCursor(cursor, read(call(1, NOON, true))).newlyFinished).toEqual([]);
	});

	it('waits for an open call for a day, and then gives it up', () => {
		const start = startCursor(read(call(1, NOON, false)), NOON);
		const [almost, after] = [LONGEST_CALL_MS, LONGEST_CALL_MS + 1].map(
			(ms) => advanceCursor(start, read(call(1, NOON, false), call(2, NOON + ms, true))).cursor,
		);
		expect(Object.keys(almost?.open ?? {})).toEqual(['1']);
		expect(after?.open).toEqual({});
	});

	it('hands out a call that finished after days without a poll', () => {
		const start = startCursor(read(call(1, NOON, false)), NOON);
		const later = NOON + 5 * LONGEST_CALL_MS;
		const { newlyFinished } = advanceCursor(
			start,
			read(call(1, NOON, true), call(2, later, false)),
		);
		expect(idsOf(newlyFinished)).toEqual([1]);
	});

	it('looks again for what it may have skipped, also when that is old', () => {
		const start = startCursor(read(call(1, NOON, true)), NOON);
		const later = NOON + 2 * REMEMBERED_MS;
		const shifted = { ...read(call(3, later, true)), isComplete: false };
		const { cursor } = advanceCursor(start, shifted);
		const { newlyFinished } = advanceCursor(
			cursor,
			read(call(2, NOON + 1, true), call(3, later, true)),
		);
		expect(idsOf(newlyFinished)).toEqual([2]);
	});

	it('keeps as much as the calls of the last hours need, however many there were', () => {
		const perMinute = (count: number) => {
			let cursor = startCursor(read(call(0, NOON, true)), NOON);
			for (let id = 1; id <= count; id++) {
				const created = NOON + id * MINUTE_MS;
				({ cursor } = advanceCursor(cursor, read(call(id, created, true))));
			}
			return Object.keys(cursor.finished).length;
		};
		expect([perMinute(500), perMinute(2_000)]).toEqual([121, 121]);
	});
});
