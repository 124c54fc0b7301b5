import { jest } from '@jest/globals';
import { flushEventLoop } from '../eventLoop.mts';
import { isCalledInRealTime } from './time.mts';

const STEP_MS = 100;

/** Longer than any time limit of the nodes. */
const HANGS_MS = 600_000;

/** A timer that waits for the clock. */
interface Timer {
	at: number;
	run: () => void;
}

/**
 * A clock that stands still until a test turns it: for `Date.now`, for `setTimeout`, and for
 * `AbortSignal.timeout`, with which the nodes limit their requests. HTTP clients keep real time, because
 * a response is on its way.
 */
export class TurnedClock implements Disposable {
	#now = Date.now();
	readonly #timers = new Set<Timer>();
	readonly #real = {
		// A test may have advanced the clock, and may do so while this one stands still.
		now: jest.spyOn(Date, 'now').getMockImplementation() ?? Date.now,
		setTimeout: globalThis.setTimeout,
		clearTimeout: globalThis.clearTimeout,
		abortAfter: Reflect.get<typeof AbortSignal, 'timeout'>(AbortSignal, 'timeout'),
	};

	/** Stops the clock. */
	constructor() {
		const real = this.#real;
		jest.spyOn(Date, 'now').mockImplementation(() => this.#now);
		globalThis.setTimeout = Object.assign(
			(...[callback, ms = 0, ...args]: Parameters<typeof setTimeout>) => {
				// A timer of 0 ms only yields to the event loop.
				if (!(ms > 0) || isCalledInRealTime()) return real.setTimeout(callback, ms, ...args);
				return this.#start(ms, () => callback(...args));
			},
			real.setTimeout,
		);
		globalThis.clearTimeout = (timer) => {
			if (!this.#timers.delete(timer as never)) real.clearTimeout(timer);
		};
		AbortSignal.timeout = (ms) => {
			const controller = new AbortController();
			const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
			this.#start(ms, () => controller.abort(reason));
			return controller.signal;
		};
	}

	/** The time, in milliseconds since 1970. */
	get now(): number {
		return this.#now;
	}

	/** When the next timer ends; undefined if nothing waits. */
	get next(): number | undefined {
		return this.#timers.size > 0 ? Math.min(...[...this.#timers].map(({ at }) => at)) : undefined;
	}

	/** Turns the clock, and ends the timers whose time has come. */
	turnTo(time: number): void {
		this.#now = Math.max(this.#now, time);
		for (const timer of this.#timers) {
			if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
			timer.run();
		}
	}

	/**
	 * Lets time pass until some work has ended that waits for nothing but time.
	 *
	 * @returns how long it took, in milliseconds
	 */
	async advanceUntilSettled(work: Promise<unknown>): Promise<number> {
		const start = this.#now;
		const progress = { hasEnded: false };
		const end = () => {
			progress.hasEnded = true;
		};
		void work.then(end, end);
		while (!progress.hasEnded && this.#now - start < HANGS_MS) {
			await flushEventLoop();
			this.turnTo(this.#now + STEP_MS);
		}
		return this.#now - start;
	}

	[Symbol.dispose](): void {
		jest.spyOn(Date, 'now').mockImplementation(this.#real.now);
		globalThis.setTimeout = this.#real.setTimeout;
		globalThis.clearTimeout = this.#real.clearTimeout;
		AbortSignal.timeout = this.#real.abortAfter;
	}

	/** @returns a timer with the methods of Node's, which some modules call */
	#start(ms: number, run: () => void): NodeJS.Timeout {
		const timer = Object.assign(
			{ at: this.#now + ms, run },
			{
				ref: () => timer as object,
				unref: () => timer as object,
				hasRef: () => true,
			},
		);
		this.#timers.add(timer);
		return timer as object as NodeJS.Timeout;
	}
}
