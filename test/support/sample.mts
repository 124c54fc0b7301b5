/**
 * Whether a run is the proof of a commit, which leaves nothing out. Without it, the tests that go through
 * thousands of combinations take a sample of them, so that `npm test` is quick enough to run after each
 * change.
 */
export const IS_PROOF = process.env.PROOF === 'true';

/** How many of the combinations `npm test` takes: one of so many. */
const ONE_OF = 4;

/** How many runs of a test that draws its values; a sample draws others each time. */
export const sampleOf = (runs: number): number => (IS_PROOF ? runs : Math.ceil(runs / ONE_OF));

/** Whether a combination is in the sample. It is the same in each run, and no row or column is left out. */
export const isInSample = (row: number, column: number): boolean =>
	IS_PROOF || (row + column) % ONE_OF === 0;
