/** How long the requests of a hook or a poll may take, in milliseconds. */
export interface TimeLimits {
	/** For all requests together: their tries, and the pauses that the service asks for. */
	totalMs: number;
	/** For each request: all its tries, without the pauses that the service asks for. */
	requestMs: number;
}

/**
 * The time limit of a request of a publish. While the service does not answer, each of the five attempts of
 * n8n 2.41 ends within 3 seconds.
 */
export const HOOK_TIME_LIMIT_MS = 2_500;

/** The end of all requests that belong together. After it, nothing is sent. */
export class Deadline {
	/** In milliseconds, see {@link TimeLimits}. */
	readonly requestMs: number;

	/** Aborts the requests that are on their way at the end. */
	readonly signal: AbortSignal;

	private readonly endsAt: number;

	/** The time starts now. */
	constructor({ totalMs, requestMs }: TimeLimits) {
		this.requestMs = requestMs;
		this.signal = AbortSignal.timeout(totalMs);
		this.endsAt = Date.now() + totalMs;
	}

	/** The time that is left, in milliseconds; 0 at the end. */
	get leftMs(): number {
		return this.signal.aborted ? 0 : Math.max(0, this.endsAt - Date.now());
	}
}
