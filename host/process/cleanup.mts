import { setTimeout as delay } from 'node:timers/promises';

/** For one stop; each has a shorter limit of its own, after which it ends things with force. */
const STOP_LIMIT_MS = 60_000;
/** For what keeps the process alive although everything was stopped. */
const LINGER_MS = 5_000;

/** What a command has started and has to stop, the last one first. */
export class Lifetime {
	/** Aborted when the person wants to end (see noticeInterruption), for what takes long. */
	readonly interrupt: AbortSignal;
	#stops: Array<() => Promise<void>> = [];
	#over = false;

	constructor(interrupt: AbortSignal) {
		this.interrupt = interrupt;
	}

	/** Has `stop` called at the end; at once where the end is past, for what was still starting then. */
	async atEnd(stop: () => Promise<void>): Promise<void> {
		if (this.#over) await stop();
		else this.#stops.push(stop);
	}

	/**
	 * Stops everything, also what comes after something that cannot be stopped.
	 *
	 * @throws AggregateError with all that went wrong
	 */
	async end(): Promise<void> {
		this.#over = true;
		const errors: unknown[] = [];
		for (const stop of this.#stops.reverse()) {
			await inTime(stop()).catch((error: unknown) => errors.push(error));
		}
		setTimeout(() => process.exit(), LINGER_MS).unref();
		if (errors.length > 0) {
			throw new AggregateError(errors, `Not stopped cleanly: ${errors.map(String).join('; ')}`);
		}
	}
}

async function inTime(stopped: Promise<void>): Promise<void> {
	const late = delay(STOP_LIMIT_MS, undefined, { ref: false }).then((): never => {
		throw new Error(`Something did not stop within ${STOP_LIMIT_MS / 1000} s.`);
	});
	await Promise.race([stopped, late]);
}
