import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Cursor } from '../../../nodes/VoiceAssistantCallingPollTrigger/cursor.ts';
import { packIds } from '../../../nodes/VoiceAssistantCallingPollTrigger/packedIds.ts';
import {
	fromStored,
	toStored,
	type StoredCursor,
} from '../../../nodes/VoiceAssistantCallingPollTrigger/storedCursor.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 2, 2, 12);

/** Through the database of n8n. */
function reloaded(cursor: Cursor): Cursor {
	const found = fromStored(JSON.parse(JSON.stringify(toStored(cursor))) as StoredCursor, NOON);
	if (!found) throw new Error('The cursor was not accepted');
	return found;
}

const time = fc.integer({ min: 0, max: NOON });
const hour = fc.integer({ min: 0, max: 1_000_000 }).map((count) => count * HOUR_MS);
const id = fc.oneof(
	fc.nat().map(String),
	fc.maxSafeNat().map(String),
	fc.string({ minLength: 1 }),
	fc.constantFrom('007', '-1', '1e3', '9007199254740993', '__proto__', 'constructor', '0'),
);
const cursors: fc.Arbitrary<Cursor> = fc.record(
	{
		watchedSince: fc.oneof(fc.constant(-Infinity), time),
		knownSince: fc.oneof(fc.constant(-Infinity), time),
		recent: time,
		counted: fc.record(
			{ since: fc.constant('2026-03-01'), total: fc.nat(), readAllAt: time },
			{ requiredKeys: ['total', 'readAllAt'] },
		),
		open: fc.array(fc.tuple(id, time)).map((entries) => new Map(entries)),
		finished: fc.array(fc.tuple(id, hour)).map((entries) => new Map(entries)),
	},
	{ requiredKeys: ['watchedSince', 'knownSince', 'open', 'finished'] },
);

describe('a cursor in the static data', () => {
	it('is the same after n8n has stored it', () => {
		fc.assert(
			fc.property(cursors, (cursor) => {
				const sorted = ({ open, finished, ...rest }: Cursor) => ({
					...rest,
					open: [...open].sort(),
					finished: [...finished].sort(),
				});
				expect(sorted(reloaded(cursor))).toEqual(sorted(cursor));
			}),
		);
	});

	it.each([
		['that follow one another', 1, 21_000],
		['of a service with ten times as many calls', 10, 31_000],
		['of a service with a thousand times as many calls', 1_000, 51_000],
	])('is short: 10,000 IDs %s', (_what, distance, expected) => {
		const ids = Array.from({ length: 10_000 }, (_, index) => String(5_000_000 + index * distance));
		expect(JSON.stringify(packIds(ids)).length).toBeLessThan(expected);
	});
});
