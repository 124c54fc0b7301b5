import type { RecordList } from '../../shared/client/recordList';

/**
 * The waits before a record is looked for again. Our choice: no document says how long after its webhook a call
 * is listed, and other services needed from 2 to 8 seconds.
 */
const WAITS_MS = [1_000, 2_000, 4_000, 4_000];

/** For how long the items of an account look again, from the first one that does (our choice). */
const ALL_WAITS_MS = 15_000;

/** A service that gives its IDs to all accounts has hardly more calls in a day (our choice). */
const MAX_HIGHER = 100_000;

/** Whether the list does not show a record yet, as far as its ID tells. */
export function mayBeLate(list: RecordList, id: string): boolean {
	const higher = Number(id) - (list.highestId ?? Number(id) - 1);
	return higher > 0 && higher <= MAX_HIGHER;
}

/** Limits how long a run looks again for records that may be late. */
export class LateRecords {
	private readonly endsAt = new Map<string, number>();

	/**
	 * How long an item waits before it looks again, in milliseconds; undefined when it has waited enough.
	 *
	 * @param account see {@link Account.key}
	 * @param round how often the item has waited
	 */
	waitMs(account: string, round: number): number | undefined {
		const now = Date.now();
		const endsAt = this.endsAt.get(account) ?? now + ALL_WAITS_MS;
		this.endsAt.set(account, endsAt);
		const ms = WAITS_MS[round];
		return ms !== undefined && now + ms <= endsAt ? ms : undefined;
	}
}
