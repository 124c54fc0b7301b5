import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { log } from '../shared/log';
import { recordShapes } from '../shared/records/recordShapes';
import { advanceCursor, emptyCursor, type Cursor } from './cursor';
import { getCursorOwner } from './cursorOwner';
import { forEachQuery, type PollRun } from './listCalls';
import { addedTooOld, GOES_ON, noReadableCalls } from './messages';
import {
	forgetPolls,
	keepCursors,
	keepUnfinished,
	recallCursors,
	takeUnfinished,
	type Cursors,
} from './pollMemory';
import { readCalls, readRecent } from './readCalls';
import { Reading } from './reading';
import type { CallQuery, Selection } from './selection';
import { fromStored, toStored } from './storedCursor';

/** The cursors of an owner; none when the static data have those of another one. */
const cursorsIn = (staticData: IDataObject, owner: string): Cursors =>
	staticData.owner === owner ? (staticData.cursors as Cursors) : {};

/** The newest cursors of an owner. */
const latestCursors = (staticData: IDataObject, owner: string): Cursors =>
	recallCursors(owner, staticData) ?? cursorsIn(staticData, owner);

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
function keepRest({ context }: PollRun, owner: string, reads: QueryRead[]): void {
	const rest = reads.filter((read) => !hasEnded(read));
	if (rest.length === 0) return;
	const readings = new Map(rest.map(({ query, result }) => [getQueryKey(query), result]));
	const order = [...rest, ...reads.filter(hasEnded)].map(({ query }) => getQueryKey(query));
	keepUnfinished(owner, { readings, order });
	log(context, 'warn', GOES_ON);
}

/**
 * Reads the calls that have finished since the last poll, and moves the cursors in the static data past them.
 * The first poll of a query finds none, because it starts now. The same holds after the trigger was copied
 * or its credential got another Base URL. When a query fails, no cursor moves. When the time of the poll is
 * over, the next poll goes on.
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
	const owner = getCursorOwner(run);
	const cursorIn = (cursors: Cursors, query: CallQuery): Cursor | undefined => {
		const stored = cursors[getQueryKey(query)];
		return stored && fromStored(stored);
	};
	// A workflow that was not published begins with what n8n has stored.
	if (isActivation && context.getActivationMode() === 'activate') forgetPolls(owner);
	const before = latestCursors(context.getWorkflowStaticData('node'), owner);
	const hasNew = queries.some((query) => !cursorIn(before, query));
	const empty = emptyCursor(hasNew ? await readRecent(run) : undefined, now);
	const { readings, order } = takeUnfinished(owner);
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
			if (unread.size > 0) keepUnfinished(owner, { readings: unread, order });
			throw error;
		});

	const { reason } = run.skipped;
	if (isActivation && reason && !reads.some(({ result }) => result.hasCalls)) {
		throw noReadableCalls(reason);
	}

	// No await from here on: polls can overlap, and share the static data (n8n 2.0, 2.41).
	const staticData = context.getWorkflowStaticData('node');
	const cursors = latestCursors(staticData, owner);
	const moved: Cursors = {};
	let tooOld = 0;
	const items = reads.flatMap(({ query, result: reading }): IDataObject[] => {
		const key = getQueryKey(query);
		const cursor = cursorIn(cursors, query);
		if (tellsNothing(reading)) {
			moved[key] = cursors[key];
			return [];
		}
		const read = reading.result();
		tooOld += read.addedTooOld;
		const { cursor: next, newlyFinished } = advanceCursor(
			cursor ?? empty,
			read,
			now,
			waitAfterEndMs,
		);
		moved[key] = toStored(next);
		return cursor ? newlyFinished.map(({ json }) => json) : [];
	});
	if (tooOld > 0) log(context, 'warn', addedTooOld(tooOld));
	keepRest(run, owner, reads);
	const found = items
		.filter(matches)
		.map((call) => ({ json: unexpected.note(call, recordShapes.call) }));
	keepCursors(owner, staticData, found.length === 0 ? moved : undefined);
	Object.assign(staticData, { owner, cursors: moved });
	return found;
}
