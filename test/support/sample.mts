/**
 * Whether the tests go through every combination, as `.ci/run` and the workflow *Proof* do. Without
 * `FULL_TESTS=true` they take a sample, so that `npm test` is quick enough to run after each change.
 *
 * @throws when the variable has another value, so that no typing error takes a sample
 */
const IS_FULL = isFull(process.env.FULL_TESTS);

/** A sample has one in so many combinations. */
const SAMPLE_EVERY = 8;

function isFull(value: string | undefined): boolean {
	if (value === undefined || value === 'true') return value === 'true';
	throw new Error(`FULL_TESTS is ${value}. Set it to true, or not at all.`);
}

/** How many runs a test has that draws its values. */
export const sampledRuns = (runs: number): number =>
	IS_FULL ? runs : Math.ceil(runs / SAMPLE_EVERY);

/**
 * Whether a combination takes place. The sample is always the same one, and has some combinations of each row
 * and of each column. Columns that come again after so many meet other rows.
 *
 * @param every it has one in so many
 */
export function isInSample(row: number, column: number, every = SAMPLE_EVERY): boolean {
	return IS_FULL || (row + column + Math.floor(column / every)) % every === 0;
}

/**
 * The entries of a table, or a sample of them. A table that comes again for each of several has other entries
 * each time. It needs as many as `every` says, so that each sample has one.
 *
 * @param row which time it comes, counted from 0
 */
export const sampled = <Entry,>(
	entries: readonly Entry[],
	every = SAMPLE_EVERY,
	row = 0,
): Entry[] => entries.filter((_, column) => isInSample(row, column, every));

/**
 * Leaves a test or a block out of the sample, because it takes seconds: it starts processes, or does again with
 * thousands of records what another test does with few.
 *
 * @param declare `it` or `describe`
 */
export const onlyInFull = <Declare,>(declare: Declare & { skip: Declare }): Declare =>
	IS_FULL ? declare : declare.skip;
