import { sleep, type INodeExecutionData } from 'n8n-workflow';

import { LimiterClosed, type Limiter } from './limiter';
import { Semaphore } from './semaphore';

/** How many items are prepared ahead of those that are on their way. */
const PREPARED_AHEAD = 10;

/** n8n answers nobody while a node works, so the work is cut into pieces of about this length. */
const MAX_WORK_MS = 10;

/** How an item ended; undefined for one that was not begun. */
export type Outcome = { items: INodeExecutionData[] } | { error: unknown } | undefined;

/** Sends an item that was prepared. */
export type Send = () => Promise<INodeExecutionData[]>;

/**
 * Prepares and sends the items of a run, in their order. Only a few are prepared ahead: memory stays
 * bounded, and the next request is ready when a place gets free.
 *
 * @param count how many items there are
 * @param limiter lets their requests begin
 * @param prepare reads, checks and builds the request of an item
 * @param stopAtFailure whether the first failure lets no further item begin
 * @returns how each item ended, by its index; never throws
 */
export async function runItems(
	count: number,
	limiter: Limiter,
	prepare: (item: number) => Promise<Send>,
	stopAtFailure: boolean,
): Promise<Outcome[]> {
	const outcomes = Array.from<Outcome>({ length: count });
	const unfinished = new Semaphore(limiter.limit + PREPARED_AHEAD);

	const settle = async (item: number, send: Send): Promise<void> => {
		try {
			outcomes[item] = { items: await send() };
		} catch (error) {
			if (error instanceof LimiterClosed) return;
			outcomes[item] = { error };
			if (stopAtFailure) limiter.close();
		} finally {
			unfinished.release();
		}
	};

	/** Prepares an item. A failure is thrown in the item's turn: the items before it are sent. */
	const prepared = async (item: number): Promise<Send> =>
		await prepare(item).catch((error: unknown) => async () => {
			return await limiter.run<never>(() => {
				throw error;
			}, stopAtFailure);
		});

	const settled: Array<Promise<void>> = [];
	let busyMs = 0;
	for (let item = 0; item < count && !limiter.isClosed; item++) {
		await unfinished.acquire();
		// While prepared items wait, responses and the sending of requests go first.
		if (busyMs >= MAX_WORK_MS || limiter.hasWaiting) {
			await sleep(0);
			busyMs = 0;
		}
		const begin = Date.now();
		settled.push(settle(item, await prepared(item)));
		busyMs += Date.now() - begin;
	}
	await Promise.all(settled);
	return outcomes;
}
