import type { Checks } from '../support/checks.mts';
import type { BenchEnvironment } from './environment.mts';
import type { Results } from './results.mts';

/** What one round of the bench works with. */
export interface Round {
	environment: BenchEnvironment;
	results: Results;
	/** small numbers, and no more than checks */
	quick: boolean;
	/** Runs one check; its name needs to be unique within the round only. */
	check: (name: string, work: () => Promise<void>) => Promise<void>;
}

/** The last resort; whatever a check waits for has a shorter limit. */
const CHECK_LIMIT_MS = 25 * 60_000;

/** Gives the check of a round. @param label tells rounds apart: "round 2", or nothing where there is one */
export const checkOf =
	({ check }: Checks, label: string): Round['check'] =>
	async (name, work) => {
		await check([name, label].filter(Boolean).join(', '), work, CHECK_LIMIT_MS);
	};
