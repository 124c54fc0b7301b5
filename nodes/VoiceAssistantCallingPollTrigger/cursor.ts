import type { ListedCall } from './listedCall';
import { nextOpenCall, type OpenCall } from './openCall';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How far back from the present calls are watched. The clock of the service may step back as far. */
export const WATCHED_MS = DAY_MS;

/** No call lasts longer: the longest one has 20 minutes (contract: max_call_duration). */
const UNKNOWN_STATUS_MS = HOUR_MS;

/** The 20th newest call tells the time: one record can be dated in the future, but hardly 20. */
const RECENT_RANK = 20;

/** How many calls the service counted. A new call makes the number larger, wherever it stands in the list. */
export interface CallCount {
	/** Only calls of this day and later, `YYYY-MM-DD`; undefined for all calls. */
	since?: string;
	total: number;
	/** When a poll has last read all calls that are watched, by n8n's clock. */
	readAllAt: number;
}

/**
 * What is known of the calls of one query. A call is known by its ID. Times only say how far back calls
 * are watched, and how far a poll reads.
 */
export interface Cursor {
	/** Calls that were created before are over, unless they are open. -Infinity while there are few calls. */
	knownSince: number;
	/** When the 20th newest call was created; undefined while there are fewer. */
	recent?: number;
	/** Undefined when calls may have been skipped. */
	counted?: CallCount;
	/** By ID. */
	open: Map<string, OpenCall>;
	/** The calls that have finished: the hour of their creation, by ID. */
	finished: Map<string, number>;
}

/** What one poll read. */
export interface CallsRead extends Pick<Cursor, 'recent' | 'counted'> {
	/** The calls that the cursor does not know as finished, in any order. A call can come twice. */
	calls: ListedCall[];
	/** Only the calls that were created since then were read; undefined for all that are watched. */
	since?: number;
	/** Whether it was the first poll of the query. */
	isFirst: boolean;
	/** The IDs of open calls that the list does not have any more. If one comes back, it is new. */
	gone: string[];
}

/** When the 20th newest call was created; undefined when there are fewer. @param times of all calls */
export const getRecentTime = (times: Iterable<number>): number | undefined =>
	[...times].toSorted((a, b) => b - a)[RECENT_RANK - 1];

/** A day before the present. A wrong clock cannot move it ahead: the earlier of the two clocks counts. */
const startOfWatch = (recent: number | undefined, now: number): number =>
	Math.min(recent ?? -Infinity, now) - WATCHED_MS;

/** A cursor that knows no call. @param recent when the 20th newest call of the account was created */
export const emptyCursor = (recent: number | undefined, now: number): Cursor => ({
	knownSince: startOfWatch(recent, now),
	recent,
	open: new Map(),
	finished: new Map(),
});

/** The creation of the oldest call that can be handed out. */
export const getOldestTime = ({ knownSince, open }: Cursor): number =>
	[...open.values()].reduce((oldest, { createdAt }) => Math.min(oldest, createdAt), knownSince);

/**
 * The day since which the calls are listed, `YYYY-MM-DD`; undefined for all calls. It is a day earlier,
 * because the days of the service may begin up to a day earlier than in UTC.
 */
export function listedSince(cursor: Cursor): string | undefined {
	const oldest = getOldestTime(cursor);
	return Number.isFinite(oldest) ? new Date(oldest - DAY_MS).toISOString().slice(0, 10) : undefined;
}

/** Whether the call had finished before: it was handed out, or it finished before the trigger was published. */
export const isKnown = (
	{ knownSince, open, finished }: Cursor,
	{ id, createdAt }: ListedCall,
): boolean => finished.has(id) || (createdAt < knownSince && !open.has(id));

/** The hour in which a call was created. Hours are enough to forget calls. */
const toHour = (time: number): number => Math.floor(time / HOUR_MS) * HOUR_MS;

/** Whether the cursor has seen a call, and not only its ID: two accounts may count their calls from 1. */
export const hasSeen = ({ open, finished }: Cursor, id: string, createdAt: number): boolean =>
	(finished.get(id) ?? toHour(open.get(id)?.createdAt ?? NaN)) === toHour(createdAt);

const byCreation = (a: ListedCall, b: ListedCall) =>
	a.createdAt - b.createdAt || Number(a.id) - Number(b.id);

/**
 * Moves the cursor past the calls that were read.
 *
 * @param cursor as it is now. It may be ahead of the one that the calls were read with, because n8n 2.0
 * and 2.41 let polls overlap
 * @param now by n8n's clock
 * @param waitAfterEndMs how long after a poll first saw a call over it is handed out
 * @returns the next cursor, and the calls that have finished since, the oldest first
 */
export function advanceCursor(
	cursor: Cursor,
	{ calls, isFirst, recent, counted, since = -Infinity, gone }: CallsRead,
	now: number,
	waitAfterEndMs = 0,
): { cursor: Cursor; newlyFinished: ListedCall[] } {
	const open = new Map(cursor.open);
	const finished = new Map(cursor.finished);
	const newlyFinished: ListedCall[] = [];
	const watchedSince = startOfWatch(recent, now);
	const knownSince = Math.max(cursor.knownSince, since, watchedSince);
	// Calls that were created before do not wait. At the first poll, the service's own clock says that they had
	// an hour. Later, they would be given up.
	const waitsEnd = isFirst ? (recent ?? -Infinity) - UNKNOWN_STATUS_MS : watchedSince;
	// The first poll hands out no call, so none has to wait.
	const afterEndMs = isFirst ? 0 : waitAfterEndMs;
	for (const call of calls) {
		const { id, createdAt, isOver } = call;
		if (isKnown({ ...cursor, open, finished }, call)) continue;
		const known = nextOpenCall(open.get(id), call, isFirst, now);
		const waited = createdAt < waitsEnd ? Infinity : now - known.since;
		// If nothing tells whether it is over, it counts as over after an hour in one status (docs/decisions/0024).
		const hasFinished = isOver ? waited >= afterEndMs : waited > UNKNOWN_STATUS_MS;
		if (isOver === false || !hasFinished) {
			open.set(id, known);
			continue;
		}
		open.delete(id);
		finished.set(id, toHour(createdAt));
		// A call that was the same an hour before may have finished before the trigger was published.
		if (isOver || !known.isFromFirstPoll) newlyFinished.push(call);
	}
	for (const id of gone) open.delete(id);
	return {
		cursor: {
			knownSince,
			recent: recent ?? cursor.recent,
			counted,
			open: new Map([...open].filter(([, { createdAt }]) => createdAt >= watchedSince)),
			finished: new Map([...finished].filter(([, hour]) => hour >= toHour(knownSince))),
		},
		newlyFinished: newlyFinished.toSorted(byCreation),
	};
}
