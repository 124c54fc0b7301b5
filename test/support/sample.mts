/**
 * Whether the tests go through every combination, as `.ci/run` and the workflow *Proof* do. Without
 * `FULL_TESTS=true` they take a sample, so that `npm test` is quick enough to run after each change.
 *
 * @throws when the variable has another value, so that no typing error takes a sample
 */
const IS_FULL = isFull(process.env.FULL_TESTS);

/** A sample has one in so many combinations. */
const SAMPLE_EVERY = 4;

function isFull(value: string | undefined): boolean {
	if (value === undefined || value === 'true') return value === 'true';
	throw new Error(`FULL_TESTS is ${value}. Set it to true, or not at all.`);
}

/** How many runs a test has that draws its values. */
export const sampledRuns = (runs: number): number =>
	IS_FULL ? runs : Math.ceil(runs / SAMPLE_EVERY);

/**
 * Whether a combination takes place. The sample is always the same one, and has some combinations of each row
 * and of each column. Columns that come again after {@link SAMPLE_EVERY} meet other rows.
 */
export function isInSample(row: number, column: number): boolean {
	return IS_FULL || (row + column + Math.floor(column / SAMPLE_EVERY)) % SAMPLE_EVERY === 0;
}
