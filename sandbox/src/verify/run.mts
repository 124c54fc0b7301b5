import type { Client } from './client.mts';

/** One verification of one account. */
export interface Run {
	/** Without a slash at its end. */
	readonly baseUrl: string;
	readonly client: Client;
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
