import { sleep } from 'n8n-workflow';

import { InvalidInput, ServiceError } from '../../shared/client/errors';
import { Semaphore } from './semaphore';

/** A wait is cut into slices of this length, because n8n's `sleep` takes no signal before 2.41. */
const SLICE_MS = 500;

/** The longest time that a task waits for the end of a pause. */
const MAX_PAUSE_MS = 60_000;

/** The task did not start, or does not go on after a wait, because its {@link Limiter} is closed. */
export class LimiterClosed extends Error {}

/**
 * Runs at most `limit` tasks at a time, in the order in which they come. A pause delays all tasks that
 * have not started.
 */
export class Limiter {
	readonly limit: number;

	private readonly signal: AbortSignal | undefined;

	private readonly semaphore: Semaphore;

	private closed = false;

	private ended = false;

	private notBefore = 0;

	private pausedMs = 0;

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
	 * Runs a task when its turn comes and the pause is over.
	 *
	 * @param closesOnFailure whether no further task starts when this task fails
	 * @throws {LimiterClosed} when {@link close} was called before the task started
	 * @throws {ServiceError} when the task would wait longer than a minute; and what the task throws
	 */
	async run<T>(task: () => Promise<T>, closesOnFailure = false): Promise<T> {
		await this.semaphore.acquire();
		let hasSucceeded = false;
		try {
			if (!this.closed) await this.waitForPauseEnd();
			if (this.closed) throw new LimiterClosed();
			const result = await task();
			hasSucceeded = true;
			return result;
		} finally {
			// Close before the release: the next task starts before the caller can handle the failure.
			if (closesOnFailure && !hasSucceeded) this.close();
			this.semaphore.release();
		}
	}

	/** Lets no further task start. Running tasks continue. */
	close(): void {
		this.closed = true;
	}

	/** Lets no further task start. Running tasks end when they wait. */
	end(): void {
		this.closed = true;
		this.ended = true;
	}

	/** Whether no further task starts. */
	get isClosed(): boolean {
		return this.closed || this.signal?.aborted === true;
	}

	/** Whether a task waits for its turn. */
	get hasWaiting(): boolean {
		return this.semaphore.hasWaiting;
	}

	/** The length of all pauses together, in milliseconds. */
	get totalPauseMs(): number {
		return this.pausedMs;
	}

	/** Delays all tasks that have not started. */
	pauseFor(ms: number): void {
		const now = Date.now();
		const end = Math.max(this.notBefore, now + ms);
		this.pausedMs += end - Math.max(this.notBefore, now);
		this.notBefore = end;
	}

	/**
	 * Waits until the pause is over. The pause may become longer during the wait.
	 *
	 * @throws {ServiceError} when the wait would be longer than a minute; {LimiterClosed} after {@link end}
	 */
	async waitForPauseEnd(): Promise<void> {
		for (let left = this.pauseLeft; left > 0; left = this.pauseLeft) {
			if (left > MAX_PAUSE_MS) {
				throw new ServiceError({
					message: 'The service is receiving too many requests',
					nextStep: `It asks you to wait ${Math.ceil(left / 60_000)} minutes. The service did not carry out this item. Try again later.`,
					httpCode: '429',
				});
			}
			await this.sleep(left);
		}
		this.throwIfOver();
	}

	/** Waits, but ends at most half a second after a cancellation, or after {@link end}. */
	async sleep(ms: number): Promise<void> {
		for (let left = ms; left > 0; left -= SLICE_MS) {
			this.throwIfOver();
			await sleep(Math.min(SLICE_MS, left));
		}
	}

	private get pauseLeft(): number {
		return this.notBefore - Date.now();
	}

	private throwIfOver(): void {
		if (this.ended) throw new LimiterClosed();
		if (!this.signal?.aborted) return;
		throw new InvalidInput({
			// n8n recognises a canceled execution by this word, in this spelling (n8n 2.0, 2.41).
			message: 'The execution was canceled',
			nextStep: 'Nothing more was sent for this item.',
		});
	}
}
