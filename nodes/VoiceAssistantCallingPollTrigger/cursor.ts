import type { ListedCall } from './listedCall';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A call may appear in the list this much later than a call that was created after it. */
export const OVERLAP_MS = 2 * MINUTE_MS;

/**
 * How long the ids of finished calls are kept. Longer than the hour that the times of the service go back
 * when summer time ends, if they are local times.
 */
export const REMEMBERED_MS = 2 * HOUR_MS;

/** A call that has not finished after this time is given up: it would keep every later call in the window. */
export const LONGEST_CALL_MS = 24 * HOUR_MS;

/** Calls by id, with the time of their creation. */
type CallTimes = Record<string, number>;

/**
 * How far the calls of one query have been read. All times but one are those of the service, so its
 * clock need not agree with n8n's. n8n stores it as JSON.
 */
export type Cursor = {
	/** The newest call that was read; undefined when there was none. */
	newest?: number;
	/** When the trigger was published, by n8n's clock. Says which days to read until there is a call. */
	publishedAt: number;
	/** The calls that have not finished. */
	open: CallTimes;
	/** The finished calls that were created less than {@link REMEMBERED_MS} before the newest. */
	finished: CallTimes;
};

/** What one poll read. */
export interface CallsRead {
	/** The calls that the cursor does not know as finished, in any order. A call can come twice. */
	calls: ListedCall[];
	/** The newest call of all; undefined when there was none. */
	newest?: number;
	/** False when calls may have been skipped, because the list shifted while it was read. */
	isComplete: boolean;
}

/** A step of the cursor. */
export interface Advance {
	cursor: Cursor;
	/** The calls that have finished since, the oldest first. */
	newlyFinished: ListedCall[];
}

/** Where the first poll starts to look for calls: those created before have finished, or never will. */
export const startOf = (newest: number): number => newest - REMEMBERED_MS;

/** Since when a poll has to see all calls; -Infinity if none was there before. */
export const wantedSince = ({ newest = -Infinity, open }: Cursor): number =>
	Object.values(open).reduce((oldest, createdAt) => Math.min(oldest, createdAt), newest);

/** Since when the calls are listed. While there is none, only n8n's clock says when that is. */
export const listedSince = (cursor: Cursor): number =>
	cursor.newest === undefined ? cursor.publishedAt : wantedSince(cursor);

/** Whether the call had finished before: it was handed out, or it finished before the trigger was published. */
export function isFinished({ newest, open, finished }: Cursor, call: ListedCall): boolean {
	if (Object.hasOwn(finished, call.id)) return true;
	const isOld = newest !== undefined && call.createdAt < newest - REMEMBERED_MS;
	return isOld && !Object.hasOwn(open, call.id);
}

/** The newest call, if calls may have been skipped: they are looked for again, for a day at most. */
function newestOf(cursor: Cursor, { newest, isComplete }: CallsRead): number | undefined {
	if (newest === undefined) return cursor.newest;
	return Math.max(isComplete ? newest : newest - LONGEST_CALL_MS, cursor.newest ?? -Infinity);
}

/** The calls that were created at a time or later. */
const since = (time: number, calls: CallTimes): CallTimes =>
	Object.fromEntries(Object.entries(calls).filter(([, createdAt]) => createdAt >= time));

const byCreation = (a: ListedCall, b: ListedCall) =>
	a.createdAt - b.createdAt || Number(a.id) - Number(b.id);

/**
 * Starts to watch calls. Those that have finished by now are in the past, so none is handed out.
 *
 * @param publishedAt by n8n's clock
 */
export function startCursor(read: CallsRead, publishedAt: number): Cursor {
	const nothing: Cursor = { publishedAt, open: {}, finished: {} };
	return advanceCursor(nothing, { ...read, isComplete: true }).cursor;
}

/**
 * Moves the cursor past the calls that were read.
 *
 * @param cursor as it is now. It may be ahead of the one that the calls were read with, because n8n 2.0
 * and 2.41 let polls overlap
 */
export function advanceCursor(cursor: Cursor, read: CallsRead): Advance {
	const open = { ...cursor.open };
	const finished = { ...cursor.finished };
	const newlyFinished: ListedCall[] = [];
	for (const call of read.calls) {
		if (isFinished({ ...cursor, open, finished }, call)) continue;
		if (!call.isFinal) {
			open[call.id] = call.createdAt;
			continue;
		}
		delete open[call.id];
		finished[call.id] = call.createdAt;
		newlyFinished.push(call);
	}
	const newest = newestOf(cursor, read);
	const next: Cursor = {
		...(newest !== undefined && { newest }),
		publishedAt: cursor.publishedAt,
		open: newest === undefined ? open : since(newest - LONGEST_CALL_MS, open),
		finished: newest === undefined ? finished : since(newest - REMEMBERED_MS, finished),
	};
	return { cursor: next, newlyFinished: newlyFinished.toSorted(byCreation) };
}
