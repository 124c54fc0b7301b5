import { setTimeout as delay } from 'node:timers/promises';

/** The last resort: each task has a shorter limit, after which it uses force. */
const TASK_LIMIT_MS = 60_000;
/** For what keeps the process alive although everything was stopped. */
const EXIT_LIMIT_MS = 5_000;

/** Stops what a command has started, the last one first. */
export class Cleanup {
	/** Aborted when the command shall end (see shutdownSignal.mts), for what takes long. */
	readonly shutdownSignal: AbortSignal;
	#tasks: Array<() => Promise<void>> = [];
	#hasRun = false;

	constructor(shutdownSignal: AbortSignal) {
		this.shutdownSignal = shutdownSignal;
	}

	/** Runs the task at the end. After the end it runs the task at once, because a start can end later. */
	async defer(task: () => Promise<void>): Promise<void> {
		if (this.#hasRun) await task();
		else this.#tasks.push(task);
	}

	/** Closes the resource at the end. @returns the resource */
	async use<T extends { close: () => void | Promise<void> }>(starting: Promise<T>): Promise<T> {
		const resource = await starting;
		await this.defer(async () => await resource.close());
		return resource;
	}

	/**
	 * Runs all tasks, also after one that failed.
	 *
	 * @throws AggregateError with all failures
	 */
	async run(): Promise<void> {
		this.#hasRun = true;
		const errors: unknown[] = [];
		for (const task of this.#tasks.reverse()) {
			await withinLimit(task()).catch((error: unknown) => errors.push(error));
		}
		setTimeout(() => process.exit(), EXIT_LIMIT_MS).unref();
		if (errors.length > 0) {
			throw new AggregateError(errors, `Not stopped cleanly: ${errors.map(String).join('; ')}`);
		}
	}
}

async function withinLimit(task: Promise<void>): Promise<void> {
	const limit = delay(TASK_LIMIT_MS, undefined, { ref: false }).then((): never => {
		throw new Error(`Something did not stop within ${TASK_LIMIT_MS / 1000} s.`);
	});
	await Promise.race([task, limit]);
}
