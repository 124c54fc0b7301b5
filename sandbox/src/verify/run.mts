import type { Client } from './client.mts';
import type { Questions } from './questions.mts';
import type { Time } from './time.mts';
import type { UndoLog } from './undoLog.mts';

/** What the user entered. */
export interface Target {
	/** Without a slash at its end. */
	baseUrl: string;
	/** At `reversible` and `call`: whose webhooks and tools are changed and restored. */
	assistantId?: number;
	/** At `reversible` and `call`: the campaign that gets a lead. */
	campaignId?: number;
	/** At `call`: the user's own phone, which is called. */
	phoneNumber?: string;
	/** At `call`: the address under which the internet reaches the receiver. */
	receiverUrl?: string;
	/** At `call`: where the receiver listens on this machine. */
	receiverPort?: number;
}

/** One verification of one account. */
export interface Run {
	readonly target: Target;
	readonly client: Client;
	/** Asks the user. Levels up to `refused` ask nothing. */
	readonly questions: Questions;
	/** Where a level that changes something first writes down how to undo it. */
	readonly undoLog: UndoLog;
	/** In which the call is watched. */
	readonly time: Time;
	/** Aborts at Ctrl-C, and when the time of the whole run is over. */
	readonly signal: AbortSignal;
}

/**
 * Something that several checks look at, and that is measured once in a run.
 *
 * @returns the function that gives it; it throws for each check what measuring has thrown
 */
export function observation<Seen>(measure: (run: Run) => Promise<Seen>) {
	const measured = new WeakMap<Run, Promise<Seen>>();
	return (run: Run): Promise<Seen> => {
		const seen = measured.get(run) ?? measure(run);
		measured.set(run, seen);
		return seen;
	};
}
