import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAny } from '../../support/forAny.mts';
import {
	WATCHED_MS,
	advanceCursor,
	emptyCursor,
	getRecentTime,
	type CallsRead,
	type Cursor,
} from '../../../nodes/VoiceAssistantCallingPollTrigger/cursor.ts';
import {
	fromStored,
	toStored,
	type StoredCursor,
} from '../../../nodes/VoiceAssistantCallingPollTrigger/storedCursor.ts';
import type { ListedCall } from '../../../nodes/VoiceAssistantCallingPollTrigger/listedCall.ts';

const NOON = Date.UTC(2026, 2, 2, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const call = (id: number, createdAt: number, isOver: boolean | undefined = true): ListedCall => ({
	id: String(id),
	createdAt,
	isOver,
	status: '',
	json: {},
});

/** Calls that tell the time, because so many are hardly wrong. */
const recentCalls = (time: number, firstId: number): ListedCall[] =>
	Array.from({ length: 20 }, (_, index) => call(firstId + index, time));

/** What a poll reads that skips nothing. */
const read = (...calls: ListedCall[]): CallsRead => ({
	calls,
	recent: getRecentTime(calls.map(({ createdAt }) => createdAt)),
	counted: { total: calls.length, readAllAt: NOON },
	isFirst: false,
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

const getIds = (calls: ListedCall[]) => calls.map(({ id }) => Number(id));

describe('the cursor', () => {
	it.each([19, 1])('is not moved by %i calls that are dated in the future', (count) => {
		const future = recentCalls(Date.UTC(2099, 0, 1), 100).slice(0, count);
		const calls = [...recentCalls(NOON, 1), ...future];
		const { cursor } = advanceCursor(start(...recentCalls(NOON, 1)), read(...calls), Infinity);
		expect(cursor.knownSince).toBe(NOON - WATCHED_MS);
	});

	it("is not moved by the service's clock beyond n8n's, whatever that of the service says", () => {
		const calls = recentCalls(Date.UTC(2099, 0, 1), 1);
		const { cursor } = advanceCursor(start(), read(...calls), NOON);
		expect(cursor.knownSince).toBe(NOON - WATCHED_MS);
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
});

/** Through the database of n8n. */
function reloaded(cursor: Cursor): Cursor {
	return fromStored(JSON.parse(JSON.stringify(toStored(cursor))) as StoredCursor);
}

const time = fc.integer({ min: 0, max: NOON });
const hour = fc.integer({ min: 0, max: 1_000_000 }).map((count) => count * HOUR_MS);
const id = fc.oneof(
	fc.nat().map(String),
	fc.maxSafeNat().map(String),
	fc.string({ minLength: 1 }),
	fc.constantFrom('007', '-1', '1e3', '9007199254740993', '__proto__', 'constructor', '0'),
);
const openCall = fc.record({
	createdAt: time,
	phase: fc.constantFrom('over', 'status queued'),
	since: time,
	isFromFirstPoll: fc.boolean(),
});
const cursors: fc.Arbitrary<Cursor> = fc.record(
	{
		knownSince: fc.oneof(fc.constant(-Infinity), time),
		recent: time,
		counted: fc.record(
			{ since: fc.constant('2026-03-01'), total: fc.nat(), readAllAt: time },
			{ requiredKeys: ['total', 'readAllAt'] },
		),
		open: fc.array(fc.tuple(id, openCall)).map((entries) => new Map(entries)),
		finished: fc.array(fc.tuple(id, hour)).map((entries) => new Map(entries)),
	},
	{ requiredKeys: ['knownSince', 'open', 'finished'] },
);

describe('a call in a status that the contract does not know', () => {
	/** Polls that read a call, each with its status, some minutes after noon. */
	type Step = [minutes: number, status: string | boolean];

	/** Follows a call. @returns how many minutes after noon it was handed out */
	function handedOutAt(cursor: Cursor, steps: Step[], isFirst = false): number[] {
		let next = cursor;
		return steps.flatMap(([minutes, status], index) => {
			const isOver = typeof status === 'boolean' ? status : undefined;
			// The service is in another zone.
			const one = { ...call(1, NOON - 4 * HOUR_MS, isOver), isOver, status: String(status) };
			const step = { ...read(one), isFirst: isFirst && index === 0 };
			const advanced = advanceCursor(next, step, NOON + minutes * MINUTE_MS);
			next = reloaded(advanced.cursor);
			return advanced.newlyFinished.map(() => minutes);
		});
	}

	it.each<[string, Step[], number[]]>([
		[
			'an hour after its status changed',
			[
				[0, 'queued'],
				[50, 'queued'],
				[55, 'answered'],
				[110, 'answered'],
				[116, 'answered'],
			],
			[116],
		],
		[
			'an hour after the contract knew its status',
			[
				[0, 'missed'],
				[50, false],
				[55, 'missed'],
				[110, 'missed'],
				[116, 'missed'],
			],
			[116],
		],
		[
			'when its end shows',
			[
				[0, 'queued'],
				[5, true],
				[70, true],
			],
			[5],
		],
		[
			"after an hour of n8n's clock that was ahead for one poll",
			[
				[0, 'missed'],
				[7 * 24 * 60, 'queued'],
				[1, 'queued'],
				[60, 'queued'],
				[62, 'queued'],
			],
			[62],
		],
	])('is handed out %s', (_what, steps, expected) => {
		expect(handedOutAt(start(), steps)).toEqual(expected);
	});

	it.each<[string, Step[], number[]]>([
		[
			'not at all',
			[
				[0, 'missed'],
				[61, 'missed'],
				[62, true],
			],
			[],
		],
		[
			'when it changed since',
			[
				[0, 'queued'],
				[1, 'missed'],
				[62, 'missed'],
			],
			[62],
		],
	])('is handed out %s if the trigger was published after it', (_what, steps, expected) => {
		expect(handedOutAt(emptyCursor(undefined, NOON), steps, true)).toEqual(expected);
	});

	it('does not wait at the first poll if an hour of calls came after it', () => {
		const calls = [call(0, NOON - 2 * HOUR_MS), ...recentCalls(NOON, 1)].map((one) => ({
			...one,
			isOver: undefined,
		}));
		const { cursor } = advanceCursor(
			emptyCursor(NOON, NOON),
			{ ...read(...calls), isFirst: true },
			NOON,
		);
		expect([cursor.open.size, cursor.finished.has('0')]).toEqual([20, true]);
	});

	it('is handed out, and not given up, if n8n was down for days', () => {
		const missed = { ...call(1, NOON), isOver: undefined };
		const later = recentCalls(NOON + 3 * WATCHED_MS, 2);
		expect(getIds(advance(start(), missed, ...later).newlyFinished)).toContain(1);
	});
});

describe('a cursor in the static data', () => {
	it('is the same after n8n has stored it', () =>
		forAny(cursors, (cursor) => {
			expect(reloaded(cursor)).toEqual(cursor);
		}));
});
