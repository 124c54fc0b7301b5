import type { KnownOutcome } from './runItems';

/** How an item ends for which no request is sent. */
export interface HeldBack {
	outcome: KnownOutcome;
	/** What hints say of all such items. `items` is such as *3 items were*. */
	hints?: Array<(items: string) => string>;
	/** What the error of a run says of such items. Without it, they succeeded. */
	label?: string;
	/** Added to the label. */
	reason?: string;
	/** Whether the next try of the run decides again. */
	isDecidedAgain?: true;
}

/** How hints begin to speak of items. */
export const itemsWere = (count: number): string =>
	count === 1 ? '1 item was' : `${count} items were`;
