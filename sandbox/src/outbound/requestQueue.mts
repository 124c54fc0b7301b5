import type { JobSource } from '../base/jobSource.mts';
import { wait } from '../base/realTime.mts';
import type { Row } from '../store/table.mts';

/** A result that could not be stored is stored again after each such pause. */
const STORE_PAUSE_MS = 250;

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
	/** Sends the request, and gives a function that stores its result. Never rejects. */
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
		const next = this.#next();
		return next && this.#requests.due(next);
	}

	runDue(time: number): number {
		let started = 0;
		for (let item = this.#next(); item && this.#requests.due(item) <= time; item = this.#next()) {
			this.#inFlight.set(item.id, this.#attempt(item));
			started += 1;
		}
		return started;
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

	/** The pending record that is due first and not in flight; none while too many are. */
	#next(): Item | undefined {
		if (this.#inFlight.size >= this.#requests.maxInFlight) return undefined;
		return this.#requests
			.pending(this.#inFlight.size + 1)
			.find(({ id }) => !this.#inFlight.has(id));
	}

	async #attempt(item: Item): Promise<void> {
		const { signal } = this.#abort;
		const storeResult = await this.#requests.send(item, signal);
		await this.#store(item.id, signal, storeResult);
	}

	/** Stores the result of an attempt. Until that succeeds the attempt counts as in flight. */
	async #store(id: number, signal: AbortSignal, storeResult: () => void): Promise<void> {
		const attempt = this.#inFlight.get(id);
		let hasFailed = false;
		while (!signal.aborted) {
			// The commit looks for what is due next, and this record may be due again.
			this.#inFlight.delete(id);
			try {
				storeResult();
				return;
			} catch (error) {
				if (attempt) this.#inFlight.set(id, attempt);
				const { what } = this.#requests;
				if (!hasFailed) console.error(`The result of ${what} ${id} could not be stored:`, error);
				hasFailed = true;
				await wait(STORE_PAUSE_MS, signal);
			}
		}
		this.#inFlight.delete(id);
	}
}
