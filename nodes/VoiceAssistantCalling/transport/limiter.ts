import { sleep } from 'n8n-workflow';

import { InvalidInput, ServiceError } from '../../shared/client/errors';
import { waitText } from '../../shared/client/retryAfter';
import { RequestBudget, type WithHeaders } from './requestBudget';
import { Semaphore } from './semaphore';

/** A wait is cut into slices of this length, because n8n's `sleep` takes no signal before 2.41. */
const SLICE_MS = 500;

/** The longest time that a task waits for the end of a pause. */
const MAX_PAUSE_MS = 60_000;

/** The task did not start, or does not go on after a wait, because its {@link Limiter} is closed. */
export class LimiterClosed extends Error {}

/**
 * Runs at most `limit` tasks at a time, in the order in which they come. A pause of an account, or a rate
 * limit that it has used up, delays the tasks of this account. They wait without a place, so that tasks of
 * other accounts can run.
 */
export class Limiter {
	readonly limit: number;

	readonly signal: AbortSignal | undefined;

	private readonly semaphore: Semaphore;

	private closed = false;

	private ended = false;

	/** When the pause of each account ends. */
	private readonly pauseEnds = new Map<string, number>();

	/** What the rate limit of each account still allows. */
	private readonly budgets = new Map<string, RequestBudget>();

	/** The waits until a request may start, by account. */
	private readonly waits = new Map<string, Promise<void>>();

	private lastPauseEnd = 0;

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
	 * Runs a task when its turn comes, the pause is over, and the rate limit allows a request.
	 *
	 * @param closesOnFailure whether no further task starts when this task fails
	 * @param account whose pauses and rate limit count, see {@link Account.key}
	 * @throws {LimiterClosed} when {@link close} was called before the task started
	 * @throws {ServiceError} when the pause is longer than a minute; and what the task throws
	 */
	async run<T>(task: () => Promise<T>, closesOnFailure = false, account = ''): Promise<T> {
		await this.semaphore.acquire();
		let hasSucceeded = false;
		try {
			while (!this.closed && this.waitLeft(account) > 0) {
				await this.withoutPlace(async () => await this.waitUntilAllowed(account));
			}
			if (!this.closed) this.throwIfOver();
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

	/** For how long any account had a pause, in milliseconds. */
	get totalPauseMs(): number {
		return this.pausedMs;
	}

	/** Delays all tasks of an account that have not started. */
	pauseFor(ms: number, account = ''): void {
		const now = Date.now();
		const end = now + ms;
		this.pausedMs += Math.max(0, end - Math.max(this.lastPauseEnd, now));
		this.lastPauseEnd = Math.max(this.lastPauseEnd, end);
		this.pauseEnds.set(account, Math.max(this.pauseEnds.get(account) ?? 0, end));
	}

	/**
	 * Sends a request of a running task when its account may send one, and counts it for the rate limit.
	 *
	 * @throws {ServiceError} when the pause is longer than a minute; {LimiterClosed} after {@link end};
	 * and what `send` throws
	 */
	async send<T extends WithHeaders>(send: () => Promise<T>, account: string): Promise<T> {
		// The request counts in the same moment: of many that wait, no two take the last place of a window.
		while (this.waitLeft(account) > 0) {
			await this.withoutPlace(async () => await this.waitUntilAllowed(account));
		}
		this.throwIfOver();
		return await this.budgetOf(account).send(send);
	}

	/** Waits in the middle of a task. Another task may run. */
	async wait(ms: number): Promise<void> {
		await this.withoutPlace(async () => await this.sleep(ms));
	}

	/**
	 * Waits until the pause of an account is over and its rate limit allows a request. The pause may become
	 * longer during the wait. All who wait go on in the order in which they came.
	 *
	 * @throws {ServiceError} when the pause is longer than a minute; {LimiterClosed} after {@link end}
	 */
	async waitUntilAllowed(account = ''): Promise<void> {
		const wait =
			this.waits.get(account) ??
			this.sleepUntilAllowed(account).finally(() => this.waits.delete(account));
		this.waits.set(account, wait);
		await wait;
	}

	private async sleepUntilAllowed(account: string): Promise<void> {
		const budget = this.budgetOf(account);
		for (let left = this.waitLeft(account); left > 0; left = this.waitLeft(account)) {
			const pauseMs = this.pauseLeft(account);
			if (pauseMs > MAX_PAUSE_MS) {
				throw new ServiceError({
					message: 'The service is receiving too many requests',
					nextStep: `It asks you to wait ${waitText(pauseMs)}. The service did not carry out this item. Try again later.`,
					httpCode: '429',
				});
			}
			await Promise.race([this.sleep(Math.min(SLICE_MS, left)), budget.changed()]);
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

	private budgetOf(account: string): RequestBudget {
		const budget = this.budgets.get(account) ?? new RequestBudget(account);
		this.budgets.set(account, budget);
		return budget;
	}

	/** For how long no request of an account may start, as far as is known. */
	private waitLeft(account: string): number {
		return Math.max(this.pauseLeft(account), this.budgetOf(account).waitMs(Date.now()));
	}

	private pauseLeft(account: string): number {
		return (this.pauseEnds.get(account) ?? 0) - Date.now();
	}

	/** Gives the place of a task to another one while it waits. */
	private async withoutPlace(wait: () => Promise<void>): Promise<void> {
		this.semaphore.release();
		try {
			await wait();
		} finally {
			await this.semaphore.acquire();
		}
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
