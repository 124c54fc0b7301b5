/** When stopping takes longer, the process ends all the same; what it started ends with it. */
const STOP_LIMIT_MS = 30_000;

/** What a command has started and has to stop, the last one first. */
export class Lifetime {
	#stops: Array<() => Promise<void>> = [];
	#over = false;

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
		setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
		const errors: unknown[] = [];
		for (const stop of this.#stops.reverse()) await stop().catch((error: unknown) => errors.push(error));
		if (errors.length > 0) {
			throw new AggregateError(errors, `Not stopped cleanly: ${errors.map(String).join('; ')}`);
		}
	}
}
