/** A write that takes back a change. */
export interface Undo {
	/** What it restores, for the user: `the webhook URL of assistant 12`. */
	what: string;
	method: 'POST' | 'PUT';
	/** Below the base URL. */
	path: string;
	body: unknown;
}

/**
 * What was changed and is not yet restored, in a file that outlives the process. It has no token.
 */
export interface UndoLog {
	/** Writes it down, and prints it as a command. Call it before the change is sent. */
	add(undo: Undo): Promise<void>;
	/** Sends what is written down, the newest first, and removes each that succeeded. */
	undoAll(): Promise<void>;
}

/** For runs that change nothing. */
export const noUndoLog: UndoLog = {
	add: () => Promise.reject(new Error('This run may change nothing.')),
	undoAll: () => Promise.resolve(),
};
