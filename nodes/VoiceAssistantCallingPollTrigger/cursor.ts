import type { ListedCall } from './listedCall';
import { UNKNOWN_STATUS_MS, nextWait, type Wait } from './waits';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How far back from the present calls are watched. The clock of the service may step back as far. */
export const WATCHED_MS = DAY_MS;

/** The most finished calls that are known by ID. When a day has more, fewer hours are known. */
export const MAX_KNOWN = 10_000;

/** The finished calls of these hours are known, however many there are. */
const ALWAYS_KNOWN_MS = 2 * HOUR_MS;

/** The 20th newest call tells the time: one record can be dated in the future, but hardly 20. */
const RECENT_RANK = 20;

/** Calls by ID, with a time. */
type CallTimes = Map<string, number>;

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
	/** Open calls that were created before are given up. -Infinity while there are few calls. */
	watchedSince: number;
	/** Calls that were created before are over, unless they are known as open. */
	knownSince: number;
	/** When the 20th newest call was created; undefined while there are fewer. */
	recent?: number;
	/** Undefined when calls may have been skipped. */
	counted?: CallCount;
	/** Names the reading that this cursor has gone along with, when the time of a poll ended before it. */
	place?: string;
	/** The calls that have not finished, with the time of their creation. */
	open: CallTimes;
	/** The open calls that are handed out when some time is over, by ID. */
	waits: Map<string, Wait>;
	/** The calls that have finished, with the hour of their creation. */
	finished: CallTimes;
}

/** What one poll read. */
export interface CallsRead {
	/** The calls that the cursor does not know as finished, in any order. A call can come twice. */
	calls: ListedCall[];
	/** See {@link Cursor.recent}. */
	recent?: number;
	/** See {@link Cursor.counted}. */
	counted?: CallCount;
	/** See {@link Cursor.place}. */
	place?: string;
	/** Only the calls that were created since then were read; undefined for all that are watched. */
	since?: number;
	/** Whether it was the first poll of the query. */
	isFirst: boolean;
	/** The IDs of open calls that the list does not have any more. If one comes back, it is new. */
	gone: string[];
}

/** A step of the cursor. */
export interface Advance {
	cursor: Cursor;
	/** The calls that have finished since, the oldest first. */
	newlyFinished: ListedCall[];
}

/** When the 20th newest call was created; undefined when there are fewer. @param times of all calls */
export const getRecentTime = (times: Iterable<number>): number | undefined =>
	[...times].toSorted((a, b) => b - a)[RECENT_RANK - 1];

/** A day before the present. A wrong clock cannot move it ahead: the earlier of the two clocks counts. */
const startOfWatch = (recent: number, now: number): number => Math.min(recent, now) - WATCHED_MS;

/**
 * A cursor that knows no call.
 *
 * @param recent when the 20th newest call of the account was created; undefined when it has fewer
 * @param now by n8n's clock
 */
export function emptyCursor(recent: number | undefined, now: number): Cursor {
	const since = recent === undefined ? -Infinity : startOfWatch(recent, now);
	const noCalls = { open: new Map(), waits: new Map(), finished: new Map() };
	return { watchedSince: since, knownSince: since, recent, ...noCalls };
}

/**
 * The day since which the calls are listed, `YYYY-MM-DD`; undefined for all calls. It is a day earlier,
 * because the days of the service may begin up to a day earlier than in UTC.
 */
export const listedSince = ({ watchedSince }: Cursor): string | undefined =>
	Number.isFinite(watchedSince)
		? new Date(watchedSince - DAY_MS).toISOString().slice(0, 10)
		: undefined;

/** The creation of the oldest call that can be handed out. */
export const getOldestTime = ({ knownSince, open }: Cursor): number =>
	[...open.values()].reduce((oldest, createdAt) => Math.min(oldest, createdAt), knownSince);

/** Whether the call had finished before: it was handed out, or it finished before the trigger was published. */
export const isKnown = (
	{ knownSince, open, finished }: Cursor,
	{ id, createdAt }: ListedCall,
): boolean => finished.has(id) || (createdAt < knownSince && !open.has(id));

/** The hour in which a call was created. Hours are enough to forget calls. */
const toHour = (time: number): number => Math.floor(time / HOUR_MS) * HOUR_MS;

/**
 * Whether the cursor has seen a call, and not only its ID: two accounts may count their calls from 1.
 *
 * @param createdAt as the list has it now
 */
export const hasSeen = ({ open, finished }: Cursor, id: string, createdAt: number): boolean =>
	toHour(finished.get(id) ?? open.get(id) ?? NaN) === toHour(createdAt);

/** The calls since a time. */
const since = (start: number, calls: CallTimes): CallTimes =>
	new Map([...calls].filter(([, time]) => time >= start));

/** The waits of the calls that are open. */
const within = (open: CallTimes, waits: Cursor['waits']): Cursor['waits'] =>
	new Map([...waits].filter(([id]) => open.has(id)));

/**
 * The calls that were created before do not wait. At the first poll, the service's own clock says that they
 * had an hour. Later, they would be given up.
 */
function endOfWaits({ watchedSince }: Cursor, { isFirst, recent }: CallsRead, now: number): number {
	if (recent === undefined) return -Infinity;
	return isFirst ? recent - UNKNOWN_STATUS_MS : Math.max(watchedSince, startOfWatch(recent, now));
}

/** The end of the newest hour in which a finished call has no place any more. */
function endOfForgotten(finished: CallTimes): number {
	const hours = [...finished.values()].toSorted((a, b) => b - a);
	return (hours[MAX_KNOWN] ?? -Infinity) + HOUR_MS;
}

/** Forgets the calls that are no longer watched. */
function forgetOld(cursor: Cursor, read: CallsRead, now: number): Cursor {
	const { recent } = read;
	if (recent === undefined) return { ...cursor, waits: within(cursor.open, cursor.waits) };
	const start = startOfWatch(recent, now);
	const forgotten = Math.min(endOfForgotten(cursor.finished), recent - ALWAYS_KNOWN_MS);
	const knownSince = Math.max(cursor.knownSince, read.since ?? start, start, forgotten);
	const watchedSince = Math.max(cursor.watchedSince, start, knownSince - WATCHED_MS);
	const open = since(watchedSince, cursor.open);
	return {
		...cursor,
		watchedSince,
		knownSince,
		recent,
		open,
		waits: within(open, cursor.waits),
		finished: since(toHour(knownSince), cursor.finished),
	};
}

const byCreation = (a: ListedCall, b: ListedCall) =>
	a.createdAt - b.createdAt || Number(a.id) - Number(b.id);

/**
 * Whether a call counts as over.
 *
 * @param wait how it waits
 * @param waitsEnd calls that were created before do not wait, see {@link endOfWaits}
 * @param waitAfterEndMs how long a call that is over waits
 */
function hasWaited(
	{ isOver, createdAt }: ListedCall,
	{ since }: Wait,
	waitsEnd: number,
	waitAfterEndMs: number,
	now: number,
): boolean {
	if (isOver === false) return false;
	const waited = now - since;
	const isLong = isOver ? waited >= waitAfterEndMs : waited > UNKNOWN_STATUS_MS;
	return isLong || createdAt < waitsEnd;
}

/**
 * Moves the cursor past the calls that were read.
 *
 * @param cursor as it is now. It may be ahead of the one that the calls were read with, because n8n 2.0
 * and 2.41 let polls overlap
 * @param now by n8n's clock
 * @param waitAfterEndMs how long after a poll first saw a call over it is handed out
 */
export function advanceCursor(
	cursor: Cursor,
	read: CallsRead,
	now: number,
	waitAfterEndMs = 0,
): Advance {
	const open = new Map(cursor.open);
	const finished = new Map(cursor.finished);
	const waits = new Map(cursor.waits);
	const waitsEnd = endOfWaits(cursor, read, now);
	// The first poll hands out no call, so none has to wait.
	const afterEndMs = read.isFirst ? 0 : waitAfterEndMs;
	const newlyFinished: ListedCall[] = [];
	for (const call of read.calls) {
		const { id, createdAt } = call;
		if (isKnown({ ...cursor, open, finished }, call)) continue;
		const wait = nextWait(waits.get(id), call, read.isFirst, now);
		waits.delete(id);
		if (!hasWaited(call, wait, waitsEnd, afterEndMs, now)) {
			open.set(id, createdAt);
			if (call.isOver !== false) waits.set(id, wait);
			continue;
		}
		open.delete(id);
		finished.set(id, toHour(createdAt));
		// A call that was the same an hour before may have finished before the trigger was published.
		if (call.isOver || !wait.isFromFirstPoll) newlyFinished.push(call);
	}
	for (const id of read.gone) open.delete(id);
	const { counted, place } = read;
	const next = forgetOld({ ...cursor, counted, place, open, waits, finished }, read, now);
	return { cursor: next, newlyFinished: newlyFinished.toSorted(byCreation) };
}
