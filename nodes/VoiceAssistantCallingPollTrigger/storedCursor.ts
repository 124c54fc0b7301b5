import type { CallCount, Cursor } from './cursor';
import type { Wait } from './waits';

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

type StoredTimes = Record<string, number>;

/** The calls that wait in the same way: a poll sees many new ones. */
interface StoredWait extends Wait {
	ids: PackedIds;
}

function toStoredWaits(waits: Cursor['waits']): StoredWait[] | undefined {
	const groups = new Map<string, { wait: Wait; ids: string[] }>();
	for (const [id, wait] of waits) {
		const { status, since, isFromFirstPoll, isOver } = wait;
		const key = JSON.stringify([status, since, isFromFirstPoll, isOver]);
		const group = groups.get(key) ?? { wait, ids: [] };
		groups.set(key, group);
		group.ids.push(id);
	}
	if (groups.size === 0) return undefined;
	return [...groups.values()].map(({ wait, ids }) => ({ ...wait, ids: packIds(ids) }));
}

const fromStoredWaits = (stored: StoredWait[] = []): Cursor['waits'] =>
	new Map(stored.flatMap(({ ids, ...wait }) => unpackIds(ids).map((id) => [id, wait] as const)));

/** A cursor in the static data, which n8n stores as JSON. */
export interface StoredCursor {
	/** Undefined for -Infinity, which JSON does not have. */
	watchedSince?: number;
	/** Undefined for -Infinity. */
	knownSince?: number;
	recent?: number;
	counted?: CallCount;
	place?: string;
	open: StoredTimes;
	/** Undefined when no call waits. */
	waits?: StoredWait[];
	/** By the hour of their creation. */
	finished: Record<string, PackedIds>;
}

const finiteOrNone = (time: number) => (Number.isFinite(time) ? time : undefined);

/** The form in which the static data hold a cursor. */
export function toStored({ watchedSince, knownSince, ...rest }: Cursor): StoredCursor {
	const hours = new Map<number, string[]>();
	for (const [id, hour] of rest.finished) {
		const ids = hours.get(hour) ?? [];
		ids.push(id);
		hours.set(hour, ids);
	}
	return {
		...rest,
		watchedSince: finiteOrNone(watchedSince),
		knownSince: finiteOrNone(knownSince),
		open: Object.fromEntries(rest.open),
		waits: toStoredWaits(rest.waits),
		finished: Object.fromEntries([...hours].map(([hour, ids]) => [hour, packIds(ids)])),
	};
}

/** Reads a cursor from the static data. */
export function fromStored(stored: StoredCursor): Cursor {
	const {
		watchedSince = -Infinity,
		knownSince = -Infinity,
		open,
		waits,
		finished,
		...rest
	} = stored;
	return {
		...rest,
		watchedSince,
		knownSince,
		open: new Map(Object.entries(open)),
		waits: fromStoredWaits(waits),
		finished: new Map(
			Object.entries(finished).flatMap(([hour, ids]) =>
				unpackIds(ids).map((id) => [id, Number(hour)] as const),
			),
		),
	};
}
