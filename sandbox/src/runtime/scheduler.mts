import { logFailure } from '../base/dataFileError.mts';
import type { JobSource } from '../base/jobSource.mts';
import { LAST_TIME } from '../domain/times.mts';
import type { Clock } from './clock.mts';

/** Node's timers cannot wait longer (2^31 - 1 ms). */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** After a failure the pause doubles each time, up to the longest. */
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Runs the jobs of all sources in the order of time: as the clock runs, or when it is advanced. */
export class Scheduler {
	readonly #clock: Clock;
	readonly #sources: JobSource[];
	#timeout: NodeJS.Timeout | undefined;
	#pendingWake: NodeJS.Immediate | undefined;
	/** How many advances run or wait for their turn. Meanwhile nothing else starts jobs. */
	#turns = 0;
	#advancing: Promise<unknown> = Promise.resolve();
	#stopped = false;
	#failures = 0;

	constructor(clock: Clock, sources: JobSource[]) {
		this.#clock = clock;
		this.#sources = sources;
	}

	/**
	 * Sets the timer for the job that is due next, once for all calls of a moment. To be called after every
	 * change of clock or jobs.
	 */
	wake(): void {
		this.#pendingWake ??= setImmediate(() => {
			this.#pendingWake = undefined;
			this.#retryOnFailure(() => this.#setTimer());
		});
	}

	#setTimer(): void {
		clearTimeout(this.#timeout);
		if (this.#stopped || this.#turns > 0) return;
		const due = this.#nextDue();
		if (due === undefined || due > LAST_TIME) return;
		const wait = Math.max(0, due - this.#clock.now());
		if (wait > 0 && this.#clock.rate === 0) return;
		const delay = wait === 0 ? 0 : Math.ceil(wait / this.#clock.rate);
		this.#timeout = setTimeout(() => this.#tick(), Math.min(delay, LONGEST_WAIT_MS));
	}

	/**
	 * Moves the clock forward by `span` milliseconds, from one due job to the next. Calls that overlap
	 * take turns.
	 *
	 * @returns how many jobs were run, when all of them have ended
	 * @throws {InvalidInput} when the sandbox's time ends before
	 */
	advance(span: number): Promise<number> {
		return this.#inTurn(async () => {
			const target = this.#clock.later(span);
			const ran = await this.#runUntil(target);
			this.#clock.moveTo(target);
			return ran;
		});
	}

	/**
	 * Moves the clock forward from one due job to the next until none is left, which can lie beyond the
	 * limits.
	 *
	 * @param span milliseconds by which the clock may move
	 * @param jobs when as many were run, no further time is run through
	 * @returns how many jobs were run, and whether none is left
	 */
	advanceUntilIdle(span: number, jobs: number): Promise<{ ran: number; idle: boolean }> {
		return this.#inTurn(async () => {
			const target = Math.min(this.#clock.now() + span, LAST_TIME);
			const ran = await this.#runUntil(target, jobs);
			return { ran, idle: this.#nextDue() === undefined };
		});
	}

	#inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		this.#turns += 1;
		clearTimeout(this.#timeout);
		const turn = this.#advancing.then(work).finally(() => {
			this.#turns -= 1;
			this.wake();
		});
		this.#advancing = turn.catch(() => undefined);
		return turn;
	}

	/** Resolves when nothing is being advanced. */
	async idle(): Promise<void> {
		await this.#advancing;
	}

	/** Starts no further job, not even in an advance that is running. */
	stop(): void {
		this.#stopped = true;
		clearImmediate(this.#pendingWake);
		this.#pendingWake = undefined;
		clearTimeout(this.#timeout);
	}

	/** Goes on after a stop. */
	resume(): void {
		this.#stopped = false;
		this.wake();
	}

	#tick(): void {
		this.#retryOnFailure(() => {
			const now = this.#clock.now();
			for (const source of this.#sources) source.runDue(now);
			this.#failures = 0;
			this.wake();
		});
	}

	/** What fails is tried again after a pause. Nobody waits for it, so the log has the error. */
	#retryOnFailure(work: () => void): void {
		try {
			work();
		} catch (error) {
			const pause = Math.min(SHORTEST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
			this.#failures += 1;
			logFailure(
				`The sandbox could not run what is due. It tries again in ${pause / 1000} s`,
				error,
			);
			clearTimeout(this.#timeout);
			if (!this.#stopped) this.#timeout = setTimeout(() => this.#tick(), pause);
		}
	}

	async #runUntil(target: number, jobs = Infinity): Promise<number> {
		let ran = 0;
		await this.#settled();
		let due = this.#nextDue();
		while (!this.#stopped && ran < jobs && due !== undefined && due <= target) {
			this.#clock.moveTo(due);
			for (const source of this.#sources) ran += source.runDue(due);
			await this.#settled();
			due = this.#nextDue();
		}
		return ran;
	}

	#nextDue(): number | undefined {
		const dues = this.#sources.map((source) => source.nextDue()).filter((due) => due !== undefined);
		return dues.length > 0 ? Math.min(...dues) : undefined;
	}

	async #settled(): Promise<void> {
		for (const source of this.#sources) await source.settled();
	}
}
