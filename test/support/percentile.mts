/**
 * The smallest value that is not exceeded by a part of all values.
 *
 * @param values at least one
 * @param part 0.95 for the 95th percentile
 */
export function percentile(values: number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	const found = sorted[Math.ceil(part * sorted.length) - 1];
	if (found === undefined) throw new Error('There are no values.');
	return found;
}
