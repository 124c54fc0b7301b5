import { sleep } from 'n8n-workflow';

import { InvalidInput, ServiceError } from '../../shared/client/errors';
import { Semaphore } from './semaphore';

/** n8n's `sleep` takes a signal in 2.41 only, so a wait is cut into slices of this length. */
const SLICE_MS = 500;

/** A task does not wait longer than this for the end of a pause. */
const MAX_PAUSE_MS = 60_000;

/** What a closed {@link Limiter} rejects with: the task was not begun. */
export class LimiterClosed extends Error {}

/**
 * Runs at most `limit` tasks at a time, in the order in which they come. A pause delays all tasks that
 * have not begun.
 */
export class Limiter {
	readonly limit: number;

	private readonly signal: AbortSignal | undefined;

	private readonly semaphore: Semaphore;

	private closed = false;

	private notBefore = 0;

	/**
	 * @param limit the most tasks at a time
	 * @param signal of the execution's cancellation, where it has one
	 */
	constructor(limit: number, signal?: AbortSignal) {
		this.limit = limit;
		this.signal = signal;
		this.semaphore = new Semaphore(limit);
	}

	/**
	 * Runs a task when its turn comes and no pause is left.
	 *
	 * @param closesOnFailure whether no further task begins when this one fails
	 * @throws {LimiterClosed} when it did not begin before {@link close}; {ServiceError} when it would
	 * have to wait longer than a minute; and what the task throws
	 */
	async run<T>(task: () => Promise<T>, closesOnFailure = false): Promise<T> {
		await this.semaphore.acquire();
		let hasSucceeded = false;
		try {
			if (!this.closed) await this.pauseEnd();
			if (this.closed) throw new LimiterClosed();
			const result = await task();
			hasSucceeded = true;
			return result;
		} finally {
			// The next task begins when the place is free, before the caller learns of a failure.
			if (closesOnFailure && !hasSucceeded) this.close();
			this.semaphore.release();
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
		return this.semaphore.hasWaiting;
	}

	/** Delays all tasks that have not begun by so many milliseconds. */
	pauseFor(ms: number): void {
		this.notBefore = Math.max(this.notBefore, Date.now() + ms);
	}

	/**
	 * Waits until no pause is left; it may become longer meanwhile.
	 *
	 * @throws {ServiceError} when that would take longer than a minute
	 */
	async pauseEnd(): Promise<void> {
		for (let left = this.pauseLeft; left > 0; left = this.pauseLeft) {
			if (left > MAX_PAUSE_MS) {
				throw new ServiceError({
					message: 'The service is receiving too many requests',
					nextStep: `It asks you to wait ${Math.ceil(left / 60_000)} minutes. Nothing was sent for this item. Run the step again later.`,
					httpCode: '429',
				});
			}
			await this.sleep(left);
		}
		this.throwIfCanceled();
	}

	/** Waits so many milliseconds, but no longer than half a second after the cancellation. */
	async sleep(ms: number): Promise<void> {
		for (let left = ms; left > 0; left -= SLICE_MS) {
			this.throwIfCanceled();
			await sleep(Math.min(SLICE_MS, left));
		}
	}

	private get pauseLeft(): number {
		return this.notBefore - Date.now();
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
