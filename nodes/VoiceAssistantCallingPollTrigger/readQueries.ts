import { emptyCursor, type Cursor } from './cursor';
import { forEachQuery, type PollRun } from './listCalls';
import type { Cursors, Readings } from './pollMemory';
import { readCalls, readRecent } from './readCalls';
import { Reading } from './reading';
import type { CallQuery } from './selection';
import { fromStored } from './storedCursor';

/** Names the query in the static data. */
const getKey = ({ assistantId, campaignId }: CallQuery) =>
	`${assistantId ?? 'any'}/${campaignId ?? 'any'}`;

/** @returns undefined before the first poll of the query */
export const cursorIn = (cursors: Cursors, key: string): Cursor | undefined => {
	const stored = cursors[key];
	return stored && fromStored(stored);
};

/**
 * Reads the lists of all queries.
 *
 * @param former what the last poll has not finished
 * @param mustEndNew whether the first poll of a query has to read it to its end
 * @returns the readings, by query. Those that have not ended come first, because the next poll goes on with them
 * @throws {ServiceError} when a list cannot be read, or the time of the poll is over and no page was read that
 * no poll has read before
 */
export async function readQueries(
	run: PollRun,
	queries: CallQuery[],
	cursors: Cursors,
	former: Readings,
	mustEndNew: boolean,
): Promise<Map<string, Reading>> {
	const now = Date.now();
	const keys = [...former.keys()];
	const rankOf = (query: CallQuery) => keys.indexOf(getKey(query));
	const inOrder = queries.toSorted((one, other) => rankOf(one) - rankOf(other));
	const hasNew = queries.some((query) => !cursors[getKey(query)]);
	const empty = emptyCursor(hasNew ? await readRecent(run) : undefined, now);
	const readings = await forEachQuery(inOrder, async (query) => {
		const cursor = cursorIn(cursors, getKey(query));
		const begun = former.get(getKey(query));
		const goesOn = begun?.endedBy && begun.isFirst === !cursor;
		return await readCalls(run, goesOn ? begun : new Reading(query, cursor ?? empty, !cursor, now));
	});
	const areStuck = readings.every(({ isStuck }) => isStuck);
	for (const { endedBy, isFirst } of readings) {
		if (endedBy && (areStuck || (mustEndNew && isFirst))) throw endedBy;
	}
	const hasEnded = ({ endedBy }: Reading) => Number(!endedBy);
	const inRank = readings.toSorted((one, other) => hasEnded(one) - hasEnded(other));
	return new Map(inRank.map((reading) => [getKey(reading.query), reading]));
}
