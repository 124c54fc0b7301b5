import { InvalidInput } from '../base/invalidInput.mts';
import { Random } from '../base/random.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import type { State, Store } from '../store/store.mts';
import type { Context, Engine } from '../domain/context.mts';
import { callLeads } from '../simulation/callLeads.mts';
import { Clock, machineNow, type ClockMode, type ClockState } from './clock.mts';

/** The clock of a new sandbox. */
export interface ClockOptions {
	mode: ClockMode;
	/** Sandbox seconds per second, for `accelerated`. */
	speed?: number | undefined;
	/** Where sandbox time begins; the present when left out. ISO 8601 or milliseconds since 1970. */
	now?: string | number | undefined;
}

/** Any number will do; it is the same every time, so that runs are the same. */
const RANDOM_SEED = 20_260_302;

const DEFAULT_SPEED = 60;

/** What is stored so that a restarted sandbox goes on with the same time and random numbers. */
interface RuntimeState {
	clock: ClockState;
	random: number;
}

/** Store, clock and random numbers: the one place where the sandbox's state changes. */
export class SandboxEngine implements Engine {
	readonly assumptions: Assumptions;
	readonly clock: Clock;
	readonly #callSpeed: number;
	readonly #store: Store;
	readonly #clockOptions: ClockOptions;
	#random: Random;
	#baseUrl = '';
	#afterCommit: () => void = () => undefined;

	/**
	 * Goes on with the time and random numbers of a store that was used before.
	 *
	 * @throws {InvalidInput} when the options do not make a clock, or the speed of calls is none
	 */
	constructor(store: Store, assumptions: Assumptions, clock: ClockOptions, callSpeed: number) {
		const begin = initialClock(clock);
		requireSpeed(callSpeed, 'of calls');
		this.assumptions = assumptions;
		this.#callSpeed = callSpeed;
		this.#store = store;
		this.#clockOptions = clock;
		const stored = store.getMeta('runtime') as RuntimeState | undefined;
		this.clock = new Clock(stored?.clock ?? begin);
		if (stored) this.clock.change(clock.mode, clock.speed ?? stored.clock.speed);
		this.#random = new Random(stored?.random ?? RANDOM_SEED);
	}

	get state(): State {
		return this.#store.state;
	}

	/** The service's base URL. */
	get baseUrl(): string {
		return this.#baseUrl;
	}

	now(): number {
		return this.clock.now();
	}

	/** Sets the service's base URL, and what is to be done after each commit. */
	connect(baseUrl: string, afterCommit: () => void): void {
		this.#baseUrl = baseUrl;
		this.#afterCommit = afterCommit;
	}

	commit<Result>(work: (context: Context) => Result): Result {
		const result = this.#store.transaction(() => this.#run(work));
		this.#afterCommit();
		return result;
	}

	/** Stores the time after the clock was changed. */
	keepTime(): void {
		this.#storeRuntime();
		this.#afterCommit();
	}

	/** Empties the store, starts time and random numbers again, and runs `work`; or changes nothing. */
	reset(work: (context: Context) => void): void {
		const before = { clock: this.clock.snapshot(), random: this.#random };
		try {
			this.#store.transaction(() => {
				this.#store.empty();
				this.clock.restart(initialClock(this.#clockOptions));
				this.#random = new Random(RANDOM_SEED);
				this.#run(work);
			});
		} catch (error) {
			this.clock.restart(before.clock);
			this.#random = before.random;
			throw error;
		}
		this.#afterCommit();
	}

	#run<Result>(work: (context: Context) => Result): Result {
		const context: Context = {
			state: this.state,
			now: this.now(),
			random: this.#random,
			assumptions: this.assumptions,
			callSpeed: this.#callSpeed,
			baseUrl: this.#baseUrl,
			callLeads: (campaignId) => callLeads(context, campaignId),
		};
		const result = work(context);
		this.#storeRuntime();
		return result;
	}

	#storeRuntime(): void {
		const runtime: RuntimeState = { clock: this.clock.snapshot(), random: this.#random.state };
		this.#store.setMeta('runtime', runtime);
	}
}

function initialClock({ mode, speed = DEFAULT_SPEED, now }: ClockOptions): ClockState {
	const present = machineNow();
	const sandboxTime = now === undefined ? present : new Date(now).getTime();
	if (Number.isNaN(sandboxTime)) {
		throw new InvalidInput(`"${now}" is not a time. Write it as in "2030-01-31T12:00:00Z".`);
	}
	requireSpeed(speed, 'of the clock');
	return { mode, speed, sandboxTime, machineTime: present };
}

function requireSpeed(speed: number, ofWhat: string): void {
	if (speed > 0 && Number.isFinite(speed)) return;
	throw new InvalidInput(`The speed ${ofWhat} must be a number above 0.`);
}
