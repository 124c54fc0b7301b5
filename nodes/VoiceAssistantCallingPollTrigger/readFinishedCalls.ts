import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { log } from '../shared/log';
import { recordShapes } from '../shared/records/recordShapes';
import { isStarting, triggerKey } from '../shared/webhook/triggerContext';
import { advanceCursor, emptyCursor, type Cursor } from './cursor';
import { getAccount, getCursorOwner } from './cursorOwner';
import { forEachQuery, type PollRun } from './listCalls';
import { addedTooOld, GOES_ON, noReadableCalls, OTHER_ACCOUNT } from './messages';
import {
	forgetPolls,
	keepState,
	keepUnfinished,
	latestState,
	takeUnfinished,
	type Cursors,
} from './pollMemory';
import { readCalls, readRecent } from './readCalls';
import { Reading } from './reading';
import type { CallQuery, Selection } from './selection';
import { fromStored, toStored } from './storedCursor';

const getQueryKey = ({ assistantId, campaignId }: CallQuery) =>
	`${assistantId ?? 'any'}/${campaignId ?? 'any'}`;

/** A query with its reading, which may not have ended. */
interface QueryRead {
	query: CallQuery;
	result: Reading;
}

const hasEnded = ({ result }: QueryRead) => !result.endedBy;

/** Whether the cursor of a query cannot move. The first poll of a query has to know all calls. */
const tellsNothing = ({ endedBy, isFirst, pages }: Reading) =>
	endedBy !== undefined && (isFirst || pages.isEmpty);

/**
 * Throws why the time of the poll was over, when it has read no page that no poll has read before, or a new
 * query had to be read to its end.
 */
function checkProgress(reads: QueryRead[], mustEndNew: boolean): void {
	const readings = reads.map(({ result }) => result);
	const isStuck = readings.every(({ endedBy, pages }) => endedBy && pages.newCount === 0);
	const reasons = readings.flatMap(({ endedBy, isFirst }) =>
		endedBy && (isStuck || (mustEndNew && isFirst)) ? [endedBy] : [],
	);
	if (reasons[0]) throw reasons[0];
}

/** Keeps the readings that have not ended for the next poll, and says so. */
function keepRest({ context }: PollRun, place: string, reads: QueryRead[]): void {
	const rest = reads.filter((read) => !hasEnded(read));
	if (rest.length === 0) return;
	const readings = new Map(rest.map(({ query, result }) => [getQueryKey(query), result]));
	const order = [...rest, ...reads.filter(hasEnded)].map(({ query }) => getQueryKey(query));
	keepUnfinished(place, { readings, order });
	log(context, 'warn', GOES_ON);
}

const cursorIn = (cursors: Cursors, query: CallQuery): Cursor | undefined => {
	const stored = cursors[getQueryKey(query)];
	return stored && fromStored(stored);
};

/**
 * Whether a list has calls, and none that a cursor has seen: a new token then belongs to another account, whose
 * past calls nobody expects. Where the trigger has seen no call at all, this cannot be told; a call of one
 * interval may be lost then, but nobody is reached because of old calls. An empty list proves nothing, and need
 * not: whatever it has later is new, in either account.
 *
 * @returns undefined while not all is read
 */
function isOfOtherAccount(reads: QueryRead[]): boolean | undefined {
	const readings = reads.map(({ result }) => result).filter(({ isFirst }) => !isFirst);
	if (readings.some(({ hasSeenCalls }) => hasSeenCalls)) return false;
	if (readings.some(({ endedBy }) => endedBy)) return undefined;
	return readings.some(({ hasCalls }) => hasCalls);
}

/** Reads the lists of all queries. @param place of what the last poll has not finished */
async function readQueries(
	run: PollRun,
	queries: CallQuery[],
	before: Cursors,
	place: string,
	now: number,
	isActivation: boolean,
): Promise<{ reads: QueryRead[]; empty: Cursor }> {
	const hasNew = queries.some((query) => !cursorIn(before, query));
	const empty = emptyCursor(hasNew ? await readRecent(run) : undefined, now);
	const { readings, order } = takeUnfinished(place);
	const rankOf = (query: CallQuery) => order.indexOf(getQueryKey(query));
	const inOrder = queries.toSorted((one, other) => rankOf(one) - rankOf(other));
	/** What a poll that fails has to leave for the next one. */
	const unread = new Map(readings);
	const reading = forEachQuery(inOrder, async (query) => {
		const key = getQueryKey(query);
		const cursor = cursorIn(before, query);
		const begun = readings.get(key);
		const goesOn = cursor ? begun?.place === cursor.place : begun?.isFirst && !isActivation;
		const result = begun && goesOn ? begun : new Reading(cursor ?? empty, !cursor, now);
		const read = await readCalls(run, query, result);
		if (!read.endedBy) unread.delete(key);
		return read;
	});
	const reads = await reading
		.then((all) => {
			checkProgress(all, isActivation);
			return all;
		})
		.catch((error: unknown) => {
			if (unread.size > 0) keepUnfinished(place, { readings: unread, order });
			throw error;
		});
	return { reads, empty };
}

/**
 * Reads the calls that have finished since the last poll, and moves the cursors in the static data past them.
 * The first poll of a query finds none, because it starts now. The same holds after the trigger was copied,
 * or its credential got another Base URL or account. When a query fails, no cursor moves. When the time of the
 * poll is over, the next poll goes on.
 *
 * @param isActivation whether a publish waits for the poll. Then a new query is read to its end
 * @throws {ServiceError} when a list cannot be read, or no call in it at a publish; {InvalidInput} when the Base URL is wrong
 */
export async function readFinishedCalls(
	run: PollRun,
	{ queries, matches, waitAfterEndMs }: Selection,
	isActivation: boolean,
): Promise<INodeExecutionData[]> {
	const { context, unexpected } = run;
	const now = Date.now();
	const trigger = triggerKey(context);
	const owner = getCursorOwner(run);
	const account = getAccount(run);
	const place = `${owner} ${account}`;
	const isStart = isActivation && isStarting(context);
	// Another process may have polled since.
	if (isStart) forgetPolls(trigger);
	// After a pause, the pages of a list have other calls.
	if (isActivation && context.getActivationMode() === 'activate') takeUnfinished(place);
	const getState = () =>
		latestState(trigger, owner, context.getWorkflowStaticData('node'), isActivation && !isStart);
	let before = getState();
	const read = async (cursors: Cursors) =>
		await readQueries(run, queries, cursors, place, now, isActivation);
	let { reads, empty } = await read(before.cursors);
	const isNewToken = before.account !== undefined && before.account !== account;
	const isOther = isNewToken ? isOfOtherAccount(reads) : false;
	if (isOther && getState().account === before.account) {
		log(context, 'warn', OTHER_ACCOUNT);
		before = { owner, account, step: before.step + 1, cursors: {} };
		// Now, because the time of the poll may be over before its first list is read.
		keepState(trigger, context.getWorkflowStaticData('node'), before, false);
		({ reads, empty } = await read({}));
	}
	const { reason } = run.skipped;
	if (isActivation && reason && !reads.some(({ result }) => result.hasCalls)) {
		throw noReadableCalls(reason);
	}

	// No await from here on: polls can overlap, and share the static data (n8n 2.0, 2.41).
	const state = getState();
	// Another poll has gone on with another token.
	if (state.account !== before.account) return [];
	const { cursors } = state;
	const moved: Cursors = {};
	let tooOld = 0;
	let hasBegun = false;
	const items = reads.flatMap(({ query, result: reading }): IDataObject[] => {
		const key = getQueryKey(query);
		const cursor = cursorIn(cursors, query);
		const stored = cursors[key];
		if (isOther === undefined || tellsNothing(reading)) {
			// The next poll goes on with the reading, and decides whose calls they are.
			moved[key] = stored && isOther === undefined ? { ...stored, place: reading.place } : stored;
			return [];
		}
		const result = reading.result();
		tooOld += result.addedTooOld;
		const { cursor: next, newlyFinished } = advanceCursor(
			cursor ?? empty,
			result,
			now,
			waitAfterEndMs,
		);
		moved[key] = toStored(next);
		hasBegun ||= !cursor;
		return cursor ? newlyFinished.map(({ json }) => json) : [];
	});
	if (tooOld > 0) log(context, 'warn', addedTooOld(tooOld));
	keepRest(run, place, reads);
	const found = items
		.filter(matches)
		.map((call) => ({ json: unexpected.note(call, recordShapes.call) }));
	const hasHandedOut = found.length > 0;
	const next = {
		owner,
		account: isOther === undefined ? state.account : account,
		step: state.step + (hasHandedOut || hasBegun ? 1 : 0),
		cursors: moved,
	};
	keepState(trigger, context.getWorkflowStaticData('node'), next, hasHandedOut);
	return found;
}
