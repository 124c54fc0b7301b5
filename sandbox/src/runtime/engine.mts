import type { Assumptions } from '../contract/assumptions.mts';
import { BadInput } from '../base/invalidInput.mts';
import type { Context } from '../domain/context.mts';
import type { Store } from '../store/store.mts';
import { Clock, machineNow, type ClockMode, type ClockState } from './clock.mts';
import { Random } from '../base/random.mts';

/** How a new sandbox's time begins. */
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

/** Store, clock and random numbers together: the one place where the sandbox's state changes. */
export class Engine {
	readonly store: Store;
	readonly assumptions: Assumptions;
	readonly clock: Clock;
	readonly #clockOptions: ClockOptions;
	#random: Random;
	#baseUrl = '';
	#afterCommit: () => void = () => undefined;

	/**
	 * Goes on with the time and random numbers of a store that has been used before.
	 * @throws {BadInput} in words, when the clock cannot be as the options say
	 */
	constructor(store: Store, assumptions: Assumptions, clock: ClockOptions) {
		const begun = beginning(clock);
		this.store = store;
		this.assumptions = assumptions;
		this.#clockOptions = clock;
		const kept = store.noted('runtime') as { clock: ClockState; random: number } | undefined;
		this.clock = new Clock(kept?.clock ?? begun);
		if (kept) this.clock.change(clock.mode, clock.speed ?? kept.clock.speed);
		this.#random = new Random(kept?.random ?? RANDOM_SEED);
	}

	/** The service's base URL and what to do after each change; known once the server listens. */
	connect(baseUrl: string, afterCommit: () => void): void {
		this.#baseUrl = baseUrl;
		this.#afterCommit = afterCommit;
	}

	/** Does `work` wholly or not at all. What it changed is on disk when this returns. */
	commit<Result>(work: (context: Context) => Result): Result {
		const result = this.store.transaction(() => {
			const outcome = work({
				state: this.store.state,
				now: this.clock.now(),
				random: this.#random,
				assumptions: this.assumptions,
				baseUrl: this.#baseUrl,
			});
			const kept = { clock: this.clock.snapshot(), random: this.#random.state };
			this.store.note('runtime', kept);
			return outcome;
		});
		this.#afterCommit();
		return result;
	}

	/** Empties the store and starts time and random numbers again. */
	reset(): void {
		this.store.transaction(() => this.store.empty());
		this.clock.restart(beginning(this.#clockOptions));
		this.#random = new Random(RANDOM_SEED);
	}
}

function beginning({ mode, speed = DEFAULT_SPEED, now }: ClockOptions): ClockState {
	const present = machineNow();
	const sandboxTime = now === undefined ? present : new Date(now).getTime();
	if (Number.isNaN(sandboxTime)) {
		throw new BadInput(`"${now}" is not a time. Write it as in "2030-01-31T12:00:00Z".`);
	}
	if (!(speed > 0)) throw new BadInput('The speed of the clock must be a number above 0.');
	return { mode, speed, sandboxTime, machineTime: present };
}
