import type { ListedCall } from './listedCall';

/** A call may stand in the list behind another one that was created this much earlier. */
export const OVERLAP_MS = 2 * 60_000;

/** Fewer calls can be in this order by chance. */
const ENOUGH_CALLS = 20;

/**
 * Finds out whether a list has its newest calls first, because the contract does not show its order. Calls
 * that were created at about the same time can have any order.
 */
export class ListOrder {
	/** Whether the calls so far have this order. Few calls can have it by chance. */
	isNewestFirst = true;
	/** When the oldest call so far was created. */
	oldest = Infinity;
	private newest = -Infinity;
	private count = 0;

	/** Takes the next call of the list. */
	add({ createdAt }: ListedCall): void {
		this.count++;
		if (createdAt > this.oldest + OVERLAP_MS) this.isNewestFirst = false;
		this.newest = Math.max(this.newest, createdAt);
		this.oldest = Math.min(this.oldest, createdAt);
	}

	/** Whether all calls that come next were created before a time. False as long as the order is unknown. */
	isPast(time: number): boolean {
		if (!this.isNewestFirst || this.count < ENOUGH_CALLS) return false;
		return this.oldest < Math.min(time, this.newest) - OVERLAP_MS;
	}
}
