import { sleep } from 'n8n-workflow';

import { InvalidInput, ServiceError } from '../../shared/client/errors';
import type { Failure } from '../../shared/client/failedRequest';
import { MAX_WAIT_MS, whyTooLong } from '../../shared/client/retry';
import { AccountPace, type PauseReason } from './accountPace';

/** The longest sleep, because n8n's `sleep` takes no signal before 2.41. */
const SLICE_MS = 500;

/** A longer wait is reported. */
const LONG_WAIT_MS = 5_000;

/** The task did not start, or does not go on after a wait, because its {@link Limiter} is closed. */
export class LimiterClosed extends Error {}

/** A task that waits for a place. */
interface Turn {
	/** Undefined for a task that sends nothing to the service. */
	pace: AccountPace | undefined;
	/** Whether the task had a place before: its request was refused, or failed. */
	isRepeat: boolean;
	/** It may not start before, in milliseconds since 1970. */
	notBefore: number;
	start: () => void;
	fail: (error: Error) => void;
}

/**
 * Runs at most `limit` tasks at a time, in the order in which they come. What an account may not send yet
 * waits without a place, so that tasks of other accounts can run. A request that was refused goes before
 * tasks that have not started.
 */
export class Limiter {
	readonly limit: number;

	readonly signal: AbortSignal | undefined;

	/** For how long accounts had to wait, in milliseconds. Waits at the same time count once. */
	readonly waitedMs: Record<PauseReason, number> = { 'rate limit': 0, maintenance: 0 };

	private readonly onLongWait: (ms: number, reason: PauseReason) => void;

	private running = 0;

	/** Those that wait, in their order. */
	private turns: Turn[] = [];

	private readonly paces = new Map<string, AccountPace>();

	private latest = 0;

	/** How far n8n's clock has gone back. */
	private wentBackMs = 0;

	private closed = false;

	private stopped = false;

	/** When the next sleep is over. */
	private wakesAt = Infinity;

	/** The end of the longest wait so far. */
	private waitsUntil = 0;

	/**
	 * @param limit the most tasks at a time
	 * @param signal of the execution's cancellation, where it has one
	 * @param onLongWait called once for each wait of more than five seconds
	 */
	constructor(
		limit: number,
		signal?: AbortSignal,
		onLongWait: (ms: number, reason: PauseReason) => void = () => {},
	) {
		this.limit = limit;
		this.signal = signal;
		this.onLongWait = onLongWait;
	}

	/**
	 * Runs a task when its turn comes and its account may send a request.
	 *
	 * @param closesOnFailure whether no further task starts when this task fails
	 * @param account whose requests the task sends, see {@link Account.key}
	 * @throws {LimiterClosed} when {@link close} was called before the task started
	 * @throws {ServiceError} when the pause is longer than a minute; and what the task throws
	 */
	async run<T>(task: () => Promise<T>, closesOnFailure = false, account?: string): Promise<T> {
		await this.turn(account, false, 0);
		let hasSucceeded = false;
		try {
			const result = await task();
			hasSucceeded = true;
			return result;
		} finally {
			// Close before the release: the next task starts before the caller can handle the failure.
			if (closesOnFailure && !hasSucceeded) this.close();
			this.release(account);
		}
	}

	/** Counts a request of an account that the service has let in. */
	accept(account: string): void {
		this.paceOf(account).accept(this.now());
	}

	/**
	 * Counts a request of an account that the service has refused. It may delay all of them.
	 *
	 * @param failure in which the service says that it wants no request
	 * @returns how long this one has to wait, in milliseconds
	 */
	pauseFor(failure: Failure, account: string): number {
		const pace = this.paceOf(account);
		const now = this.now();
		const ms = pace.refuse(now, failure);
		const isOnlyOne = pace.running <= 1;
		const waitsUntil = now + Math.max(pace.pauseLeftMs(now), isOnlyOne ? ms : 0);
		this.waitedMs[pace.reason] += Math.max(0, waitsUntil - Math.max(this.waitsUntil, now));
		this.waitsUntil = Math.max(this.waitsUntil, waitsUntil);
		this.startNext();
		return ms;
	}

	/** Waits in the middle of a task, and until its account may send a request. Another task may run. */
	async wait(ms: number, account?: string): Promise<void> {
		const turn = this.turn(account, true, this.now() + ms);
		await this.withoutPlace(turn, account);
	}

	/** Waits in the middle of a task for another one, which may need the place to end. */
	async waitFor<T>(other: Promise<T>, account?: string): Promise<T> {
		const turn = other.then(async (result) => {
			await this.turn(account, true, 0);
			return result;
		});
		return await this.withoutPlace(turn, account);
	}

	/** Gives the place of a task back until its next turn. */
	private async withoutPlace<T>(turn: Promise<T>, account?: string): Promise<T> {
		this.release(account);
		let hasPlace = false;
		try {
			const result = await turn;
			hasPlace = true;
			return result;
		} finally {
			// The task ends, and gives its place back as if it had one.
			if (!hasPlace) this.takePlace(account === undefined ? undefined : this.paceOf(account));
		}
	}

	/** Lets no further task start. Running tasks continue. */
	close(): void {
		this.closed = true;
		this.startNext();
	}

	/** Lets no further task start. Running tasks end when they wait. */
	stop(): void {
		this.closed = true;
		this.stopped = true;
		this.startNext();
	}

	/** Whether no further task starts. */
	get isClosed(): boolean {
		return this.closed || this.signal?.aborted === true;
	}

	/** Whether a task waits for its turn. */
	get hasWaiting(): boolean {
		return this.turns.length > 0;
	}

	/** The present time. It never goes back, as n8n's clock can when it is set. */
	private now(): number {
		this.wentBackMs += Math.max(0, this.latest - (Date.now() + this.wentBackMs));
		this.latest = Date.now() + this.wentBackMs;
		return this.latest;
	}

	private async turn(account: string | undefined, isRepeat: boolean, at: number): Promise<void> {
		const pace = account === undefined ? undefined : this.paceOf(account);
		if (isRepeat && pace) pace.waiting++;
		await new Promise<void>((start, fail) => {
			const index = isRepeat ? this.turns.findIndex((turn) => !turn.isRepeat) : -1;
			const before = index < 0 ? this.turns.length : index;
			this.turns.splice(before, 0, { pace, isRepeat, notBefore: at, start, fail });
			this.startNext();
		});
	}

	/** Starts what may start now, and comes back when more may start. */
	private startNext(): void {
		const now = this.now();
		let nextMs = Infinity;
		for (const pace of this.paces.values()) pace.sleeping = 0;
		for (const { pace, notBefore } of this.turns) if (pace && notBefore > now) pace.sleeping++;
		this.turns = this.turns.filter((turn) => {
			const { pace, isRepeat, notBefore } = turn;
			const error = this.errorFor(turn, now);
			const ms = Math.max(this.pauseLeftMs(pace, now), notBefore - now);
			if (!error && ms > 0) nextMs = Math.min(nextMs, ms);
			const hasPlace = this.running < this.limit && (pace?.hasSlot(isRepeat) ?? true);
			if (!error && (ms > 0 || !hasPlace)) return true;
			if (isRepeat && pace) pace.waiting--;
			if (error) {
				turn.fail(error);
			} else {
				this.takePlace(pace);
				turn.start();
			}
			return false;
		});
		if (nextMs < Infinity) this.wakeIn(nextMs);
	}

	/** How long an account may start no request. Reports a long wait. */
	private pauseLeftMs(pace: AccountPace | undefined, now: number): number {
		const ms = pace?.pauseLeftMs(now) ?? 0;
		if (pace && ms > LONG_WAIT_MS && now >= pace.reportedUntil) {
			pace.reportedUntil = now + ms;
			this.onLongWait(ms, pace.reason);
		}
		return ms;
	}

	/** Calls {@link startNext} after a time, at the latest in half a second. */
	private wakeIn(ms: number): void {
		const sleepMs = Math.min(SLICE_MS, Math.ceil(ms));
		const at = this.now() + sleepMs;
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		void sleep(sleepMs).then(() => {
			if (this.wakesAt === at) this.wakesAt = Infinity;
			this.startNext();
		});
	}

	private paceOf(account: string): AccountPace {
		const pace = this.paces.get(account) ?? new AccountPace(this.limit);
		this.paces.set(account, pace);
		return pace;
	}

	private takePlace(pace: AccountPace | undefined): void {
		this.running++;
		if (pace) pace.running++;
	}

	private release(account: string | undefined): void {
		this.running--;
		if (account !== undefined) this.paceOf(account).running--;
		this.startNext();
	}

	/** Why a task does not start, or does not go on, ever. */
	private errorFor({ pace, isRepeat }: Turn, now: number): Error | undefined {
		if (this.stopped || (this.closed && !isRepeat)) return new LimiterClosed();
		if (this.signal?.aborted) {
			return new InvalidInput({
				// n8n recognises a canceled execution by this word, in this spelling (n8n.md#canceled-executions).
				message: 'The execution was canceled',
				nextStep: 'Nothing more was sent for this item.',
			});
		}
		if (!pace || pace.pauseLeftMs(now) <= MAX_WAIT_MS) return undefined;
		const isLimit = pace.reason === 'rate limit';
		return new ServiceError({
			message: isLimit
				? 'The service is receiving too many requests'
				: 'The service is not available',
			nextStep: `${whyTooLong(pace.askedUntil - now)} The service did not carry out this item. Try again later.`,
			httpCode: isLimit ? '429' : '503',
			refused: isRepeat && isLimit,
		});
	}
}
