/** Jobs that are due at certain times. */
export interface JobSource {
	/** When its next job is due, in sandbox milliseconds; undefined when there is none. */
	nextDue(): number | undefined;
	/** Starts everything that is due at `time` or before, and returns how many jobs that were. */
	runDue(time: number): number;
	/** Resolves when everything that was started has ended. */
	settled(): Promise<void>;
}
