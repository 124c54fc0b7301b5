import type { Clock } from './clock.mts';

/** A list of things to do at certain times. */
export interface Agenda {
	/** When its next thing is due, in sandbox milliseconds; undefined when there is none. */
	nextDue(): number | undefined;
	/** Starts everything that is due at `time` or before, and says how many things that were. */
	runDue(time: number): number;
	/** Resolves when everything that was started has ended. */
	settled(): Promise<void>;
}

/** Node's timers cannot wait longer (2^31 - 1 ms); a later due time is looked at again then. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** After a failure things are tried again so much later, and each time twice as late, up to the longest. */
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Lets agendas happen in the order of time: by themselves as the clock runs, or when advanced. */
export class Scheduler {
	readonly #clock: Clock;
	readonly #agendas: Agenda[];
	#timeout: NodeJS.Timeout | undefined;
	/** How many advances are under way or wait for their turn. While any is, nothing else starts things. */
	#turns = 0;
	#advancing: Promise<unknown> = Promise.resolve();
	#stopped = false;
	#failures = 0;

	constructor(clock: Clock, agendas: Agenda[]) {
		this.#clock = clock;
		this.#agendas = agendas;
	}

	/** Waits anew for whatever is due next. To be called after every change of clock or agendas. */
	wake(): void {
		clearTimeout(this.#timeout);
		const due = this.#nextDue();
		if (due === undefined || this.#stopped || this.#turns > 0) return;
		const wait = Math.max(0, due - this.#clock.now());
		if (wait > 0 && this.#clock.rate === 0) return;
		const delay = wait === 0 ? 0 : Math.ceil(wait / this.#clock.rate);
		this.#timeout = setTimeout(() => this.#tick(), Math.min(delay, LONGEST_WAIT_MS));
	}

	/**
	 * Moves the clock forward by `span` milliseconds, stopping at each thing that is due or falls due
	 * on the way. Resolves when all of it is done, with the number of things that were. Calls that
	 * overlap take turns.
	 */
	advance(span: number): Promise<number> {
		this.#turns += 1;
		clearTimeout(this.#timeout);
		const turn = this.#advancing
			.then(() => this.#advanceTo(this.#clock.now() + span))
			.finally(() => {
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

	/** Starts nothing any more, not even what falls due in an advance that is under way. */
	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#timeout);
	}

	/** Goes on after a stop. */
	resume(): void {
		this.#stopped = false;
		this.wake();
	}

	/** What fails is still due: nobody waits for it here, so it is told to whoever runs the sandbox. */
	#tick(): void {
		try {
			const now = this.#clock.now();
			for (const agenda of this.#agendas) agenda.runDue(now);
			this.#failures = 0;
			this.wake();
		} catch (error) {
			const pause = Math.min(SHORTEST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
			this.#failures += 1;
			console.error(`The sandbox could not go on. It tries again in ${pause / 1000} s:`, error);
			clearTimeout(this.#timeout);
			if (!this.#stopped) this.#timeout = setTimeout(() => this.#tick(), pause);
		}
	}

	async #advanceTo(target: number): Promise<number> {
		let done = 0;
		await this.#settled();
		for (let due = this.#nextDue(); !this.#stopped && due !== undefined && due <= target;) {
			this.#clock.moveTo(due);
			for (const agenda of this.#agendas) done += agenda.runDue(due);
			await this.#settled();
			due = this.#nextDue();
		}
		this.#clock.moveTo(target);
		return done;
	}

	#nextDue(): number | undefined {
		const dues = this.#agendas.map((agenda) => agenda.nextDue()).filter((due) => due !== undefined);
		return dues.length > 0 ? Math.min(...dues) : undefined;
	}

	async #settled(): Promise<void> {
		for (const agenda of this.#agendas) await agenda.settled();
	}
}
