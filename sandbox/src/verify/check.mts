import type { Run } from './run.mts';

/** From the address alone to requests that the service has to refuse. */
export const LEVELS = ['address', 'read', 'refused'] as const;
export type Level = (typeof LEVELS)[number];

/** How sure a finding is: measured directly, follows from several records, or one record hints at it. */
export type Certainty = 'certain' | 'likely' | 'a hint';

interface Difference {
	expected: string;
	seen: string;
	certainty: Certainty;
	/** What `provider.yaml` has under the key; without it, the sandbox cannot behave so. */
	value?: unknown;
	/** What it means for a user of the nodes, and what to do where something has to be done. */
	advice?: string;
}

/**
 * What a check found. Its texts have types, lengths, statuses, and the names of fields and headers. They
 * have no other value of the account (`describe.mts` makes them).
 */
export type Finding =
	| { outcome: 'as assumed'; expected: string; seen: string; certainty: Certainty }
	| ({ outcome: 'differs' } & Difference)
	/** The nodes read it all the same, so it is no difference for a user. */
	| ({ outcome: 'other form' } & Difference)
	| {
			outcome: 'not checked';
			expected: string;
			/** Why: what the account lacks, or what went wrong. */
			seen: string;
			/** The check failed, although the account has what it needs. */
			failed?: boolean;
	  };

/** Measures one assumption. */
export interface Check {
	/** The key in contract/assumptions.yaml, whose entry names the level under `check`. */
	key: string;
	level: Level;
	/**
	 * @throws {Stop} to end the whole run
	 * @throws {Error} for this check alone: it becomes `not checked`
	 */
	run(run: Run): Promise<Finding>;
}

/** A check that only reads. @param expected what is assumed, in words */
export const readCheck = (
	key: string,
	expected: string,
	look: (run: Run, expected: string) => Promise<Finding>,
): Check => ({ key, level: 'read', run: (run) => look(run, expected) });

/** The service behaves as assumed. */
export const asAssumed = (
	expected: string,
	seen = expected,
	certainty: Certainty = 'certain',
): Finding => ({ outcome: 'as assumed', expected, seen, certainty });

/** The account has nothing that shows it. @param reason what it lacks */
export const notChecked = (expected: string, reason: string): Finding => ({
	outcome: 'not checked',
	expected,
	seen: reason,
});

type More = Partial<Pick<Difference, 'value' | 'advice' | 'certainty'>>;

/** The service behaves otherwise. */
export const differs = (expected: string, seen: string, more: More = {}): Finding => ({
	outcome: 'differs',
	expected,
	seen,
	certainty: 'certain',
	...more,
});

/** The service behaves otherwise, and the nodes do the same as if it did not. */
export const otherForm = (
	expected: string,
	seen: string,
	more: More & { advice: string },
): Finding => ({ outcome: 'other form', expected, seen, certainty: 'certain', ...more });
