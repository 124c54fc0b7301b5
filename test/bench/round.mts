import type { Checks } from '../support/checks.mts';
import type { BenchEnvironment } from './environment.mts';
import type { Results } from './results.mts';

/** One round of the bench. */
export interface Round {
	environment: BenchEnvironment;
	results: Results;
	/** small numbers, for the checks only */
	quick: boolean;
	/** Runs one check, whose name is unique in the round. */
	check: (name: string, work: () => Promise<void>) => Promise<void>;
}

/** The last resort: what a check waits for has shorter limits. */
const CHECK_LIMIT_MS = 25 * 60_000;

/** Makes the check function of a round. @param label "round 2", or empty for the only round */
export const checkOf =
	({ check }: Checks, label: string): Round['check'] =>
	async (name, work) => {
		await check([name, label].filter(Boolean).join(', '), work, CHECK_LIMIT_MS);
	};
