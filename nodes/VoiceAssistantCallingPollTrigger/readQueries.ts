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
 * @param now by n8n's clock
 * @returns the readings, in the order in which they began
 * @throws {ServiceError} when a list cannot be read
 */
export async function readQueries(
	run: PollRun,
	queries: CallQuery[],
	cursors: Cursors,
	former: Readings,
	now: number,
): Promise<Map<string, Reading>> {
	const keys = [...former.keys()];
	const rankOf = (query: CallQuery) => keys.indexOf(getKey(query));
	const inOrder = queries.toSorted((one, other) => rankOf(one) - rankOf(other));
	const hasNew = queries.some((query) => !cursors[getKey(query)]);
	const empty = emptyCursor(hasNew ? await readRecent(run) : undefined, now);
	const read = await forEachQuery(inOrder, async (query) => {
		const key = getKey(query);
		const cursor = cursorIn(cursors, key);
		const begun = former.get(key);
		const goesOn = begun?.isFirst === !cursor;
		return await readCalls(run, query, goesOn ? begun : new Reading(cursor ?? empty, !cursor, now));
	});
	return new Map(read.map(({ query, result }) => [getKey(query), result]));
}
