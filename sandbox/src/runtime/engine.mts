import { ApiError } from '../base/apiError.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import { Random } from '../base/random.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import type { Faults } from '../faults/faults.mts';
import type { Snapshot } from '../store/snapshots.mts';
import type { State, Store } from '../store/store.mts';
import type { ScenarioDefinitions } from '../domain/call/scenarioFormat.mts';
import type { Scenarios } from '../domain/call/scenarios.mts';
import type { Context, Engine } from '../domain/context.mts';
import { ALL_TIMES, isPossibleTime } from '../domain/times.mts';
import { allScenarios } from '../simulation/builtInScenarios.mts';
import { callLeads } from '../simulation/callLeads.mts';
import type { Weather } from '../weather/weather.mts';
import { Clock, machineNow, MAX_SPEED, type ClockMode, type ClockState } from './clock.mts';

export interface ClockOptions {
	mode: ClockMode;
	/** Sandbox seconds per second, for `accelerated`. */
	speed?: number | undefined;
	/** Where sandbox time begins; the present when left out. ISO 8601 or milliseconds since 1970. */
	now?: string | number | undefined;
}

/** Always the same, so that runs are the same. */
const RANDOM_SEED = 20_260_302;

const DEFAULT_SPEED = 60;

/** What is stored so that a restarted sandbox goes on with the same time and random numbers. */
interface RuntimeState {
	clock: ClockState;
	random: number;
}

/** Store, clock and random numbers: the one place where the sandbox's state changes. */
export class SandboxEngine implements Engine {
	readonly weather: Weather;
	readonly assumptions: Assumptions;
	readonly clock: Clock;
	/** How many times faster calls are than the clock. */
	readonly callSpeed: number;
	readonly state: State;
	/** The built-in ones and those of the seed. */
	scenarios: Scenarios;
	baseUrl = '';
	readonly #faults: Faults;
	readonly #seededScenarios: ScenarioDefinitions;
	readonly #store: Store;
	readonly #clockOptions: ClockOptions;
	#random: Random;
	#storedRuntime: string | undefined;
	/** Brings back the faults that the present transaction has used up. */
	#giveFaultsBack: (() => void) | undefined;
	#afterCommit: () => void = () => undefined;

	/**
	 * Goes on with the time, random numbers and scenarios of a store that was used before.
	 *
	 * @param seededScenarios what a new store has beside the built-in ones
	 * @throws {InvalidInput} when the options do not make a clock, or the speed of calls is none
	 */
	constructor(
		store: Store,
		weather: Weather,
		clock: ClockOptions,
		callSpeed: number,
		faults: Faults,
		seededScenarios: ScenarioDefinitions,
	) {
		const begin = initialClock(clock);
		requireSpeed(callSpeed, 'of calls');
		this.state = store.state;
		this.weather = weather;
		this.assumptions = weather.assumptions;
		this.callSpeed = callSpeed;
		this.#faults = faults;
		this.#store = store;
		this.#clockOptions = clock;
		const stored = store.getMeta('runtime') as RuntimeState | undefined;
		this.clock = new Clock(stored?.clock ?? begin);
		if (stored) this.clock.change(clock.mode, clock.speed ?? stored.clock.speed);
		this.#random = new Random(stored?.random ?? RANDOM_SEED);
		this.#seededScenarios = seededScenarios;
		const added = store.getMeta('scenarios') as ScenarioDefinitions | undefined;
		this.scenarios = allScenarios(added ?? seededScenarios);
	}

	now(): number {
		return this.clock.now();
	}

	/** Sets the service's base URL, and what is to be done after each commit that writes. */
	connect(baseUrl: string, afterCommit: () => void): void {
		this.baseUrl = baseUrl;
		this.#afterCommit = afterCommit;
	}

	commit<Result>(work: (context: Context) => Result, requestId: number | null = null): Result {
		const { writes } = this.#store;
		const result = this.#transaction(() => this.#run(work, requestId));
		if (this.#store.writes > writes) this.#afterCommit();
		return result;
	}

	/** Runs work that only reads, which needs no transaction. */
	read<Result>(work: (context: Context) => Result): Result {
		return this.#run(work, null);
	}

	/** Empties the store, starts time and random numbers again, and runs `work`; or changes nothing. */
	reset(work: (context: Context) => void): void {
		this.#replace(() => {
			this.#store.empty();
			this.clock.restart(initialClock(this.#clockOptions));
			this.weather.restart();
			this.#random = new Random(RANDOM_SEED);
			this.scenarios = allScenarios(this.#seededScenarios);
			this.#store.setMeta('scenarios', this.#seededScenarios);
		}, work);
	}

	/** The snapshots of all data, the newest first. */
	snapshots(): Snapshot[] {
		return this.#store.snapshots.list();
	}

	/**
	 * Keeps all data, the time and the random numbers under a name, in place of an earlier snapshot.
	 *
	 * @throws {InvalidInput} when there are too many
	 */
	saveSnapshot(name: string): Snapshot {
		const { snapshots } = this.#store;
		snapshots.open();
		// The stored time is then the present one.
		this.clock.change(this.clock.mode);
		return this.#transaction(() => {
			this.#storeRuntime();
			const snapshot = { name, at: this.now() };
			snapshots.save(snapshot);
			return snapshot;
		});
	}

	/** Goes back to a snapshot, and runs `work`; or changes nothing. @throws {ApiError} when there is none */
	restoreSnapshot(name: string, work: (context: Context) => void): void {
		this.#replace(() => {
			if (!this.#store.snapshots.restore(name)) throw noSnapshot(name);
			// Every store has both since its first commit.
			const { clock, random } = this.#store.getMeta('runtime') as RuntimeState;
			this.clock.restart({ ...clock, machineTime: machineNow() });
			this.#random = new Random(random);
			this.scenarios = allScenarios(this.#store.getMeta('scenarios') as ScenarioDefinitions);
		}, work);
	}

	/** @throws {ApiError} when there is no such snapshot */
	deleteSnapshot(name: string): void {
		if (!this.#transaction(() => this.#store.snapshots.delete(name))) throw noSnapshot(name);
	}

	/** Replaces all data, and runs `work`; or changes nothing. */
	#replace(fill: () => void, work: (context: Context) => void): void {
		const [random, scenarios, clock] = [this.#random, this.scenarios, this.clock.snapshot()];
		try {
			this.#transaction(() => {
				this.#storedRuntime = undefined;
				fill();
				this.#run(work, null);
			});
		} catch (error) {
			this.clock.restart(clock);
			this.#random = random;
			this.scenarios = scenarios;
			throw error;
		}
		this.#afterCommit();
	}

	#transaction<Result>(work: () => Result): Result {
		try {
			return this.#store.transaction(work);
		} catch (error) {
			this.#storedRuntime = undefined;
			this.#giveFaultsBack?.();
			throw error;
		} finally {
			this.#giveFaultsBack = undefined;
		}
	}

	#run<Result>(work: (context: Context) => Result, requestId: number | null): Result {
		const context: Context = {
			state: this.state,
			now: this.now(),
			random: this.#random,
			seed: this.weather.seed,
			assumptions: this.assumptions,
			scenarios: this.scenarios,
			callSpeed: this.callSpeed,
			baseUrl: this.baseUrl,
			requestId,
			callLeads: (campaignId) => callLeads(context, campaignId),
			takeDeliveryFault: (delivery) => {
				this.#giveFaultsBack ??= this.#faults.deliveries.save();
				return this.#faults.deliveries.take(delivery, context.now);
			},
		};
		const result = work(context);
		this.#storeRuntime();
		return result;
	}

	/** Most transactions change neither: reads then write nothing. */
	#storeRuntime(): void {
		const runtime: RuntimeState = { clock: this.clock.snapshot(), random: this.#random.state };
		const text = JSON.stringify(runtime);
		if (text === this.#storedRuntime) return;
		this.#store.setMeta('runtime', runtime);
		this.#storedRuntime = text;
	}
}

const noSnapshot = (name: string): ApiError => new ApiError(404, `There is no snapshot "${name}".`);

function initialClock({ mode, speed = DEFAULT_SPEED, now }: ClockOptions): ClockState {
	const present = machineNow();
	const sandboxTime = now === undefined ? present : new Date(now).getTime();
	if (!isPossibleTime(sandboxTime)) {
		throw new InvalidInput(
			`"${now}" is not a time ${ALL_TIMES}. Write it as in "2030-01-31T12:00:00Z".`,
		);
	}
	requireSpeed(speed, 'of the clock');
	return { mode, speed, sandboxTime, machineTime: present };
}

function requireSpeed(speed: number, ofWhat: string): void {
	if (speed > 0 && speed <= MAX_SPEED) return;
	throw new InvalidInput(`The speed ${ofWhat} must be a number above 0, at most ${MAX_SPEED}.`);
}
