import type { NodeExecutionHint } from 'n8n-workflow';

import type { BuiltItem } from '../builtItem';
import type { HeldBack } from '../heldBack';
import type { ItemDetails } from '../itemErrorTexts';
import type { ItemOutcome } from '../runItems';

/** How a run ended. */
export interface EndedRun {
	/** Of all items, by their index. */
	outcomes: ItemOutcome[];
	details: ItemDetails[];
	/** Whether n8n stores it as failed, so that a user can try it again. */
	isFailed: boolean;
}

/** What a user is told of a run. A warning is also written to n8n's log. */
export type StepHint = Pick<NodeExecutionHint, 'message' | 'type'>;

/** Waits for another item, which can send its request in the meantime. */
export type WaitFor = <T>(other: Promise<T>) => Promise<T>;

/** Something that can hold items back. It has the methods that it needs, which are called in this order. */
export interface Step {
	/** Looks at the run. @throws {InvalidInput} when no item of it may be sent */
	runBegins?: () => Promise<void> | void;
	/**
	 * Looks at an item that cannot be built, such as one whose expression gives another value now.
	 *
	 * @returns how it ended before; undefined if it did not
	 */
	lookBack?: (index: number, operation: BuiltItem['operation']) => HeldBack | undefined;
	/**
	 * Looks at an item whose request is built.
	 *
	 * @returns undefined to let it pass
	 * @throws {InvalidInput} when nobody can know whether it may be sent
	 */
	look?: (item: BuiltItem) => Promise<HeldBack | undefined> | HeldBack | undefined;
	/** The same, when the turn of the item has come and its request is about to leave. */
	lookInTurn?: (
		item: BuiltItem,
		waitFor: WaitFor,
	) => Promise<HeldBack | undefined> | HeldBack | undefined;
	/** Learns how an item ended that passed in its turn. @param error undefined when it succeeded */
	itemEnds?: (item: BuiltItem, error?: unknown) => Promise<void>;
	/** Whether the run goes on although this item failed. */
	goesOnAfter?: (item: number) => boolean;
	/** Learns how all items ended. */
	runEnds?: (run: EndedRun) => Promise<void> | void;
	readonly hints?: StepHint[];
}

/** Hints that are written to n8n's log, too. */
export const warnings = (messages: string[]): StepHint[] =>
	messages.map((message) => ({ message, type: 'warning' }));
