/** The time of this machine. A test turns the sandbox's clock instead of waiting. */
export interface Time {
	/** In milliseconds. */
	now(): number;
	/** Waits so many milliseconds, or until the signal aborts. */
	wait(span: number, signal: AbortSignal): Promise<void>;
}
