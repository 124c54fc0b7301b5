import { emptyCursor } from './cursor';
import { forEachQuery, type PollRun } from './listCalls';
import type { Cursors, Readings } from './pollMemory';
import { readCalls, readRecent } from './readCalls';
import { Reading } from './reading';
import type { CallQuery } from './selection';
import { fromStored } from './storedCursor';

/** Names the query in the static data. */
const getKey = ({ assistantId, campaignId }: CallQuery) =>
	`${assistantId ?? 'any'}/${campaignId ?? 'any'}`;

/**
 * Reads the lists of all queries.
 *
 * @param former what the last poll has not finished
 * @param mustEndNew whether the first poll of a query has to read it to its end
 * @returns the readings, by query
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
	const places = [...former.keys()];
	// What has not ended comes first, so that no query waits for ever.
	const rankOf = (query: CallQuery) => {
		const isUnfinished = former.get(getKey(query))?.endedBy;
		return places.indexOf(getKey(query)) + (isUnfinished ? 0 : places.length);
	};
	const inOrder = queries.toSorted((one, other) => rankOf(one) - rankOf(other));
	const hasNew = queries.some((query) => !cursors[getKey(query)]);
	const empty = emptyCursor(hasNew ? await readRecent(run) : undefined, now);
	const readings = await forEachQuery(inOrder, async (query) => {
		const stored = cursors[getKey(query)];
		const cursor = stored && fromStored(stored);
		const begun = former.get(getKey(query));
		const goesOn = begun?.endedBy && begun.isFirst === !cursor;
		return await readCalls(run, goesOn ? begun : new Reading(query, cursor ?? empty, !cursor, now));
	});
	const areStuck = readings.every(({ isStuck }) => isStuck);
	for (const { endedBy, isFirst } of readings) {
		if (endedBy && (areStuck || (mustEndNew && isFirst))) throw endedBy;
	}
	return new Map(readings.map((reading) => [getKey(reading.query), reading]));
}
