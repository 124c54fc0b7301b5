/** How long the requests of a hook or a poll may take, in milliseconds. */
export interface TimeLimits {
	/** For all requests together: their tries, and the pauses that the service asks for. */
	totalMs: number;
	/** For each request: all its tries, without the pauses that the service asks for. */
	requestMs: number;
	/** The same until the service has answered: the first request finds out whether it is there. */
	firstRequestMs?: number;
}

/**
 * The time limit of the first request of a hook or a poll. While the service does not answer, each of the five
 * attempts of n8n 2.41 to publish ends within seconds (docs/decisions/0016).
 */
export const FIRST_REQUEST_LIMIT_MS = 6_000;

/** The end of all requests that belong together. After it, nothing is sent. */
export class Deadline {
	/** Aborts the requests that are on their way at the end. */
	readonly signal: AbortSignal;

	private readonly limits: TimeLimits;

	private readonly endsAt: number;

	private hasAnswer = false;

	/** Whether a request may have changed something at the service, or one of an earlier publish has. */
	mayHaveChanged = false;

	/** The time starts now. */
	constructor(limits: TimeLimits) {
		this.limits = limits;
		this.signal = AbortSignal.timeout(limits.totalMs);
		this.endsAt = Date.now() + limits.totalMs;
	}

	/** The time limit of a request that starts now, in milliseconds, see {@link TimeLimits}. */
	get requestMs(): number {
		const { requestMs, firstRequestMs = requestMs } = this.limits;
		return this.hasAnswer ? requestMs : firstRequestMs;
	}

	/** The time that is left, in milliseconds; 0 at the end. */
	get leftMs(): number {
		return this.signal.aborted ? 0 : Math.max(0, this.endsAt - Date.now());
	}

	/** The service has answered a request, so it is there. */
	noteAnswer(): void {
		this.hasAnswer = true;
	}
}
