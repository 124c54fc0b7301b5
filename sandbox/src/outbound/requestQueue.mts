import { logFailure } from '../base/dataFileError.mts';
import type { JobSource } from '../base/jobSource.mts';
import { wait } from '../base/realTime.mts';
import type { Row } from '../store/table.mts';

/** What the sandbox itself could not send or store is tried again after each such pause. */
const PAUSE_MS = 250;

/** The records whose requests a {@link RequestQueue} sends. */
export interface QueuedRequests<Item extends Row> {
	/** Names a record in the log, such as `delivery`. */
	what: string;
	/** How many requests may be open at the same time. */
	maxInFlight: number;
	/** The pending records that are due first, in the order of time. */
	pending: (limit: number) => Item[];
	/** When the request is to be sent, in sandbox milliseconds. */
	due: (item: Item) => number;
	/** Sends the request, and gives a function that stores its result. */
	send: (item: Item, aborted: AbortSignal) => Promise<() => void>;
}

/**
 * Sends requests that are pending in the store. A record stays pending until its result is stored, so a
 * request that a crash has cut is sent again after the restart.
 */
export class RequestQueue<Item extends Row> implements JobSource {
	readonly #requests: QueuedRequests<Item>;
	readonly #inFlight = new Map<number, Promise<void>>();
	#abort = new AbortController();

	constructor(requests: QueuedRequests<Item>) {
		this.#requests = requests;
	}

	nextDue(): number | undefined {
		const [next] = this.#sendable(1);
		return next && this.#requests.due(next);
	}

	runDue(time: number): number {
		const { due, maxInFlight } = this.#requests;
		const items = this.#sendable(maxInFlight).filter((item) => due(item) <= time);
		for (const item of items) this.#inFlight.set(item.id, this.#attempt(item));
		return items.length;
	}

	async settled(): Promise<void> {
		while (this.#inFlight.size > 0) await Promise.all(this.#inFlight.values());
	}

	/** Aborts what is in flight, which stays pending. Resolves when that is done. */
	async abort(): Promise<void> {
		this.#abort.abort();
		await this.settled();
		this.#abort = new AbortController();
	}

	/** The pending records that are due first, at most `count`, and no more than may be sent now. */
	#sendable(count: number): Item[] {
		const { size } = this.#inFlight;
		const free = Math.min(count, this.#requests.maxInFlight - size);
		if (free === 0) return [];
		const pending = this.#requests.pending(size + free);
		return pending.filter(({ id }) => !this.#inFlight.has(id)).slice(0, free);
	}

	async #attempt(item: Item): Promise<void> {
		const { id } = item;
		const { signal } = this.#abort;
		const { what, send } = this.#requests;
		let storeResult: (() => void) | undefined;
		await this.#retry(signal, `The request of ${what} ${id} could not be sent`, async () => {
			storeResult = await send(item, signal);
		});
		// Until its result is stored the attempt counts as in flight.
		const attempt = this.#inFlight.get(id);
		await this.#retry(signal, `The result of ${what} ${id} could not be stored`, () => {
			// The commit looks for what is due next, and this record may be due again.
			this.#inFlight.delete(id);
			try {
				storeResult?.();
			} catch (error) {
				if (attempt) this.#inFlight.set(id, attempt);
				throw error;
			}
		});
		if (attempt && this.#inFlight.get(id) === attempt) this.#inFlight.delete(id);
	}

	/** Does a step again until it succeeds or is aborted: a defect must not end the process. */
	async #retry(
		signal: AbortSignal,
		failure: string,
		step: () => void | Promise<void>,
	): Promise<void> {
		let hasFailed = false;
		while (!signal.aborted) {
			try {
				await step();
				return;
			} catch (error) {
				if (!hasFailed) logFailure(failure, error);
				hasFailed = true;
				await wait(PAUSE_MS, signal);
			}
		}
	}
}
