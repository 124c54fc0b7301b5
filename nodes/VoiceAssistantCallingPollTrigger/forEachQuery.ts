import type { CallQuery } from './selection';

const QUERIES_AT_ONCE = 5;

/**
 * Calls a function with each query, a few at a time.
 *
 * @returns the results, in the order of the queries
 * @throws what the function throws for the first query that fails, when all that have begun are done
 */
export async function forEachQuery<Result>(
	queries: CallQuery[],
	read: (query: CallQuery) => Promise<Result>,
): Promise<Array<{ query: CallQuery; result: Result }>> {
	const results: Array<{ query: CallQuery; result: Result }> = [];
	for (let first = 0; first < queries.length; first += QUERIES_AT_ONCE) {
		const some = queries.slice(first, first + QUERIES_AT_ONCE);
		const reading = some.map(async (query) => ({ query, result: await read(query) }));
		// After a failure, no request may still be on its way when the next poll begins.
		await Promise.allSettled(reading);
		results.push(...(await Promise.all(reading)));
	}
	return results;
}
