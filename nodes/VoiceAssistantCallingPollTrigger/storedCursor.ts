import type { Cursor, OpenCall } from './cursor';

/**
 * IDs in a short form: whole numbers in ascending order, each as the difference to the one before, and then
 * all other IDs as they are. IDs that follow one another need two characters each.
 */
type PackedIds = Array<number | string>;

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
function unpackIds(packed: PackedIds): string[] {
	let previous = 0;
	return packed.map((entry) => {
		if (typeof entry === 'string') return entry;
		previous += entry;
		return String(previous);
	});
}

/** A cursor in the static data, which n8n stores as JSON. */
export interface StoredCursor extends Pick<Cursor, 'recent' | 'counted'> {
	/** JSON has null in place of -Infinity. */
	knownSince: number | null;
	open: Array<[id: string, call: OpenCall]>;
	finished: Array<[hour: number, ids: PackedIds]>;
}

/** The form in which the static data hold a cursor. */
export function toStored({ open, finished, ...rest }: Cursor): StoredCursor {
	const hours = new Map<number, string[]>();
	for (const [id, hour] of finished) {
		const ids = hours.get(hour) ?? [];
		ids.push(id);
		hours.set(hour, ids);
	}
	return {
		...rest,
		open: [...open],
		finished: [...hours].map(([hour, ids]) => [hour, packIds(ids)]),
	};
}

/** Reads a cursor from the static data. */
export const fromStored = ({ knownSince, open, finished, ...rest }: StoredCursor): Cursor => ({
	...rest,
	knownSince: knownSince ?? -Infinity,
	open: new Map(open),
	finished: new Map(
		finished.flatMap(([hour, ids]) => unpackIds(ids).map((id) => [id, hour] as const)),
	),
});
