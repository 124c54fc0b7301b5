import { sleep } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { Semaphore } from './semaphore';

/** n8n's `sleep` takes a signal in 2.41 only, so a wait is cut into slices of this length. */
const SLICE_MS = 500;

/** What a closed {@link Limiter} rejects with: the task was not begun. */
export class LimiterClosed extends Error {}

/**
 * Runs at most `limit` tasks at a time, in the order in which they come. All of them can be held back
 * for a while, and the first failure can end it all.
 */
export class Limiter {
	readonly limit: number;

	private readonly signal: AbortSignal | undefined;

	/** Whether the first failure lets no further task begin. */
	readonly stopsAtFailure: boolean;

	private readonly places: Semaphore;

	private closed = false;

	private notBefore = 0;

	/**
	 * @param limit the most tasks at a time
	 * @param stopsAtFailure whether the first failure lets no further task begin
	 * @param signal of the execution's cancellation, where it has one
	 */
	constructor(limit: number, stopsAtFailure: boolean, signal?: AbortSignal) {
		this.limit = limit;
		this.stopsAtFailure = stopsAtFailure;
		this.signal = signal;
		this.places = new Semaphore(limit);
	}

	/**
	 * Runs a task when its turn comes.
	 *
	 * @throws {LimiterClosed} when it did not begin before {@link close}, and what the task throws
	 */
	async run<T>(task: () => Promise<T>): Promise<T> {
		await this.places.acquire();
		let hasSucceeded = false;
		try {
			this.throwIfCanceled();
			if (this.closed) throw new LimiterClosed();
			const result = await task();
			hasSucceeded = true;
			return result;
		} finally {
			// The next task begins when the place is given back, before the caller learns of a failure.
			if (this.stopsAtFailure && !hasSucceeded) this.close();
			this.places.release();
		}
	}

	/** Lets no further task begin; those that have begun go on. */
	close(): void {
		this.closed = true;
	}

	/** Whether no further task begins. */
	get isClosed(): boolean {
		return this.closed || this.signal?.aborted === true;
	}

	/** Whether a task waits for its turn. */
	get hasWaiting(): boolean {
		return this.places.hasWaiting;
	}

	/** Holds all tasks back for so many milliseconds that call {@link ready} from now on. */
	pauseFor(ms: number): void {
		this.notBefore = Math.max(this.notBefore, Date.now() + ms);
	}

	/** Waits until no pause is left; it may have become longer meanwhile. */
	async ready(): Promise<void> {
		while (this.notBefore > Date.now()) await this.sleep(this.notBefore - Date.now());
		this.throwIfCanceled();
	}

	/** Waits so many milliseconds, but no longer than half a second after the cancellation. */
	async sleep(ms: number): Promise<void> {
		for (let left = ms; left > 0; left -= SLICE_MS) {
			this.throwIfCanceled();
			await sleep(Math.min(SLICE_MS, left));
		}
	}

	private throwIfCanceled(): void {
		if (!this.signal?.aborted) return;
		throw new InvalidInput({
			// n8n recognises a canceled execution by this word, in this spelling (n8n 2.0, 2.41).
			message: 'The execution was canceled',
			nextStep: 'Nothing more was sent for this item.',
		});
	}
}
