/** A prime, so that the steps reach each place of a range that it does not divide. */
const STEP = 7_919;

/**
 * Gives ids of a range in a mixed order, so that neighbours are on different pages. The first is the
 * lowest. Each id comes once before any comes again.
 */
export const mixedIds = (count: number, lowest: number, highest: number): number[] =>
	Array.from({ length: count }, (_, index) => lowest + ((index * STEP) % (highest - lowest + 1)));
