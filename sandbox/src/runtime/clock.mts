import { InvalidInput } from '../base/invalidInput.mts';
import { LAST_TIME } from '../domain/times.mts';

/** How the sandbox's time relates to the machine's: the same, faster, or only when told. */
export const CLOCK_MODES = ['real', 'accelerated', 'manual'] as const;
export type ClockMode = (typeof CLOCK_MODES)[number];

/** The highest speed of the clock and of calls. Much above it, sandbox time ends within minutes. */
export const MAX_SPEED = 1_000_000;

/** What has to be kept so that a restarted sandbox goes on with the same time. */
export interface ClockState {
	mode: ClockMode;
	speed: number;
	/** Sandbox time, in milliseconds since 1970, at the moment `machineTime`. */
	sandboxTime: number;
	machineTime: number;
}

/** Machine time, in milliseconds since 1970. The only place of the sandbox that reads it. */
export const machineNow = (): number => Date.now();

/** Reads sandbox time; moving it is the scheduler's business, which runs what falls due. */
export class Clock {
	#state: ClockState;
	#held: number | undefined;

	constructor(state: ClockState) {
		this.#state = state;
	}

	get mode(): ClockMode {
		return this.#state.mode;
	}

	/** Sandbox milliseconds per machine millisecond; 0 when time stands still. */
	get rate(): number {
		if (this.#state.mode === 'manual') return 0;
		return this.#state.mode === 'accelerated' ? this.#state.speed : 1;
	}

	/** Sandbox time in milliseconds since 1970. It stands still at its end. */
	now(): number {
		if (this.#held !== undefined) return this.#held;
		const { sandboxTime, machineTime } = this.#state;
		const time = Math.floor(sandboxTime + (machineNow() - machineTime) * this.rate);
		return Math.min(time, LAST_TIME);
	}

	/**
	 * The time that is `span` milliseconds from now.
	 *
	 * @throws {InvalidInput} when the sandbox cannot have it
	 */
	later(span: number): number {
		const now = this.now();
		if (now + span <= LAST_TIME) return now + span;
		const [end, present] = [LAST_TIME, now].map((time) => new Date(time).toISOString());
		throw new InvalidInput(`The clock goes to ${end}, and no further. It is ${present} now.`);
	}

	/** Runs `work` as if it were `time`: a job that was due earlier uses its own time. */
	at<Result>(time: number, work: () => Result): Result {
		const outer = this.#held;
		this.#held = time;
		try {
			return work();
		} finally {
			this.#held = outer;
		}
	}

	/** Goes on from the present sandbox time in another mode. */
	change(mode: ClockMode, speed: number = this.#state.speed): void {
		this.#state = { mode, speed, sandboxTime: this.now(), machineTime: machineNow() };
	}

	/** Sets the time to `time` (milliseconds since 1970), forward only. */
	moveTo(time: number): void {
		if (time <= this.now()) return;
		this.#state = { ...this.#state, sandboxTime: time, machineTime: machineNow() };
	}

	/** Forgets the time so far. */
	restart(state: ClockState): void {
		this.#state = state;
	}

	/** What to store; see {@link ClockState}. */
	snapshot(): ClockState {
		return { ...this.#state };
	}
}
