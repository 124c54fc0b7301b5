import fc from 'fast-check';

/** Kinds of records whose ids requests have in their path or body, and that requests create. */
export type Kind = 'assistant' | 'lead' | 'tool';

/** Stands for the id of a record that exists when the request is sent. */
export class RecordId {
	readonly kind: Kind;
	readonly index: number;

	constructor(kind: Kind, index: number) {
		this.kind = kind;
		this.index = index;
	}
}

/** Ids of records of one kind: the first are from the seed, the later ones from requests before. */
export const recordIds = (kind: Kind): fc.Arbitrary<RecordId> =>
	fc.nat({ max: 30 }).map((index) => new RecordId(kind, index));

/** The records that exist, and their ids. */
export class KnownRecords {
	readonly #ids: Record<Kind, number[]> = { assistant: [1, 2], lead: [1], tool: [1, 2] };

	add(kind: Kind, id: number): void {
		this.#ids[kind].push(id);
	}

	idOf({ kind, index }: RecordId): number {
		const ids = this.#ids[kind];
		return ids[index % ids.length] ?? 0;
	}
}
