/**
 * IDs in a short form: whole numbers in ascending order, each as the difference to the one before, and then
 * all other IDs as they are. IDs that follow one another need two characters each.
 */
export type PackedIds = Array<number | string>;

const isWholeNumber = (id: string) => String(Number(id)) === id && Number.isSafeInteger(Number(id));

/** Packs IDs. @param ids in any order */
export function packIds(ids: string[]): PackedIds {
	const numbers = ids
		.filter(isWholeNumber)
		.map(Number)
		.toSorted((a, b) => a - b);
	const differences = numbers.map((id, index) => id - (numbers[index - 1] ?? 0));
	return [...differences, ...ids.filter((id) => !isWholeNumber(id))];
}

/** The IDs that were packed, in another order. */
export function unpackIds(packed: PackedIds): string[] {
	let previous = 0;
	return packed.map((entry) => {
		if (typeof entry === 'string') return entry;
		previous += entry;
		return String(previous);
	});
}
