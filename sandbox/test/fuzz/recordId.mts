import fc from 'fast-check';
import type { JsonObject } from '../support/contract.mts';

/**
 * The kind of the records that an operation is about, in the words of the contract: the tag of the operation,
 * or an `x-refers-to`.
 */
export const getKind = ({ tags }: JsonObject): string => String([tags].flat()[0]);

/** Stand for the ids of records of one kind: the first are from the seed, the later ones from requests before. */
export const recordIds = (kind: string): fc.Arbitrary<string> =>
	fc.nat({ max: 30 }).map((index) => `id:${kind}:${index}`);

/** The records that exist, and their ids. */
export class KnownRecords {
	readonly #ids = new Map<string, number[]>([
		['assistant', [1, 2]],
		['call', [1, 2]],
		['campaign', [1, 2]],
		['lead', [1]],
		['phoneNumber', [1, 4]],
		['tool', [1, 2]],
		['voice', [1, 2]],
	]);

	add(kind: string, id: number): void {
		this.#ids.set(kind, [...(this.#ids.get(kind) ?? []), id]);
	}

	/** Puts the ids of records that exist where {@link recordIds} are. */
	fillIn(text: string): string {
		return text.replaceAll(/"?\bid:(\w+):(\d+)"?/g, (_all, kind: string, index: string) => {
			const ids = this.#ids.get(kind);
			if (!ids) throw new Error(`The seed of the fuzz has no ${kind}.`);
			return String(ids[Number(index) % ids.length]);
		});
	}
}
