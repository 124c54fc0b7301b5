/**
 * Writes item indices as ranges: `0–2, 5`.
 *
 * @param items indices in any order
 * @returns an empty text for no items
 */
export function itemRanges(items: number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const item of [...items].sort((a, b) => a - b)) {
		const last = ranges.at(-1);
		if (last && item === last[1] + 1) last[1] = item;
		else ranges.push([item, item]);
	}
	return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
