import fc from 'fast-check';
import type { JsonObject } from '../support/contract.mts';

/** What the contract calls a record: the tag of its operations, or an `x-refers-to`. */
export type Kind = string;

/** The kind of the records that an operation is about. */
export const getKind = ({ tags }: JsonObject): Kind => String([tags].flat()[0]);

/** Stand for the ids of records of one kind: the first are from the seed, the later ones from requests before. */
export const recordIds = (kind: Kind): fc.Arbitrary<string> =>
	fc.nat({ max: 30 }).map((index) => `id:${kind}:${index}`);

/** The records that exist, and their ids. */
export class KnownRecords {
	readonly #ids = new Map<Kind, number[]>([
		['assistant', [1, 2]],
		['campaign', [1, 2]],
		['lead', [1]],
		['phoneNumber', [1, 4]],
		['tool', [1, 2]],
		['voice', [1, 2]],
	]);

	add(kind: Kind, id: number): void {
		this.#ids.set(kind, [...(this.#ids.get(kind) ?? []), id]);
	}

	/** Puts the ids of records that exist where {@link recordIds} are. */
	fillIn(text: string): string {
		return text.replaceAll(/"?\bid:(\w+):(\d+)"?/g, (_all, kind: Kind, index: string) => {
			const ids = this.#ids.get(kind);
			if (!ids) throw new Error(`The seed of the fuzz has no ${kind}.`);
			return String(ids[Number(index) % ids.length]);
		});
	}
}
