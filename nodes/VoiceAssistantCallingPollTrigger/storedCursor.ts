import type { Cursor } from './cursor';
import type { OpenCall } from './openCall';

/** Whole numbers as the difference to the one before, and other IDs as they are. */
type PackedIds = Array<number | string>;

/** Packs IDs in a short form: those that follow one another need two characters each. */
function packIds(ids: string[]): PackedIds {
	let last = 0;
	return ids
		.toSorted((one, other) => Number(one) - Number(other))
		.map((id) => {
			const difference = Number(id) - last;
			if (!Number.isSafeInteger(difference) || String(last + difference) !== id) return id;
			last += difference;
			return difference;
		});
}

function unpackIds(packed: PackedIds): string[] {
	let last = 0;
	return packed.map((entry) => {
		if (typeof entry === 'string') return entry;
		last += entry;
		return String(last);
	});
}

/** A cursor in the static data, which n8n stores as JSON. */
export interface StoredCursor extends Omit<Cursor, 'knownSince' | 'open' | 'finished'> {
	/** JSON has null in place of -Infinity. */
	knownSince: number | null;
	open: Array<[id: string, call: OpenCall]>;
	finished: Array<[hour: number, ids: PackedIds]>;
}

/** The form in which the static data hold a cursor. */
export function toStored({ open, finished, ...rest }: Cursor): StoredCursor {
	const hours = [...new Set(finished.values())];
	const idsOf = (hour: number) => [...finished.keys()].filter((id) => finished.get(id) === hour);
	return {
		...rest,
		open: [...open],
		finished: hours.map((hour) => [hour, packIds(idsOf(hour))]),
	};
}

/** Reads a cursor from the static data. */
export function fromStored({ knownSince, open, finished, ...rest }: StoredCursor): Cursor {
	const known = finished.flatMap(([hour, ids]) => unpackIds(ids).map((id) => [id, hour] as const));
	return {
		...rest,
		knownSince: knownSince ?? -Infinity,
		open: new Map(open),
		finished: new Map(known),
	};
}
