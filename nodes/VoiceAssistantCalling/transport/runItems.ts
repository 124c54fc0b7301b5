import { sleep, type INodeExecutionData } from 'n8n-workflow';

import { LimiterClosed, type Limiter } from './limiter';

/** How many items are prepared ahead of the items whose requests are running. */
const PREPARED_AHEAD = 10;

/** n8n answers no other request while a node works, so the work is cut into pieces of this length. */
const MAX_WORK_MS = 10;

/** How an item ended. */
export type KnownOutcome = { items: INodeExecutionData[] } | { error: unknown };

/** How an item ended; undefined when it did not start. */
export type ItemOutcome = KnownOutcome | undefined;

/** Ends an item as it ended before. */
export async function replay(outcome: KnownOutcome): Promise<INodeExecutionData[]> {
	if ('error' in outcome) throw outcome.error;
	return await Promise.resolve(outcome.items);
}

/** Sends the request of an item. */
export type PreparedItem = () => Promise<INodeExecutionData[]>;

/**
 * Prepares and sends the items of a run, in their order. Only a few items are prepared ahead: memory
 * stays bounded, and the next request is ready when a place becomes free.
 *
 * @param count number of items
 * @param limiter starts the requests of the items
 * @param prepare reads and checks the fields of an item, and builds its request
 * @param stopsAtFailure whether no further item starts after the failure of this one
 * @param onEnd called with the outcome of each item that started
 * @returns how each item ended, by its index; never throws
 */
export async function runItems(
	count: number,
	limiter: Limiter,
	prepare: (item: number) => Promise<PreparedItem>,
	stopsAtFailure: (item: number) => boolean,
	onEnd?: (outcome: ItemOutcome) => void,
): Promise<ItemOutcome[]> {
	const outcomes = Array.from<ItemOutcome>({ length: count });
	const unfinished = new Set<Promise<void>>();

	const finish = async (item: number, send: PreparedItem): Promise<void> => {
		try {
			outcomes[item] = { items: await send() };
		} catch (error) {
			if (!(error instanceof LimiterClosed)) outcomes[item] = { error };
		}
		const outcome = outcomes[item];
		if (outcome && 'error' in outcome && stopsAtFailure(item)) limiter.close();
		if (outcome) onEnd?.(outcome);
	};

	/** A failure is thrown in the item's turn, so that requests that are waiting are still sent. */
	const prepareOrFailInTurn = async (item: number): Promise<PreparedItem> =>
		await prepare(item).catch((error: unknown) => async () => {
			return await limiter.run<never>(() => {
				throw error;
			}, stopsAtFailure(item));
		});

	let busyMs = 0;
	for (let item = 0; item < count && !limiter.isClosed; item++) {
		if (unfinished.size === limiter.limit + PREPARED_AHEAD) await Promise.race(unfinished);
		// When prepared items wait, sending and receiving is more urgent than to prepare more items.
		if (busyMs >= MAX_WORK_MS || limiter.hasWaiting) {
			await sleep(0);
			busyMs = 0;
		}
		const startedAt = Date.now();
		const ended = finish(item, await prepareOrFailInTurn(item)).finally(() => {
			unfinished.delete(ended);
		});
		unfinished.add(ended);
		busyMs += Date.now() - startedAt;
	}
	await Promise.all(unfinished);
	return outcomes;
}
