/** How a call ended. */
export type Outcome = 'answered' | 'voicemail' | 'no-answer' | 'busy' | 'failed' | 'unknown';

interface OutcomeRule {
	/** Values of `status` (contract: States). */
	statuses: string[];
	/** Value of `answered_by` (contract: Call record). Undefined means any value, or none. */
	answeredBy?: string;
	outcome: Outcome;
}

const CONVERSATION = ['completed', 'ended', 'ended_by_customer', 'ended_by_assistant'];

/**
 * The outcome of each final status; the first rule that fits decides. In every other status the outcome
 * is `unknown`: the call is still going on, or the status is not in the contract.
 */
export const OUTCOME_RULES: OutcomeRule[] = [
	{ statuses: CONVERSATION, answeredBy: 'machine', outcome: 'voicemail' },
	{ statuses: CONVERSATION, outcome: 'answered' },
	{ statuses: ['no-answer'], outcome: 'no-answer' },
	{ statuses: ['busy'], outcome: 'busy' },
	{ statuses: ['failed'], outcome: 'failed' },
];

/**
 * Tells how a call ended.
 *
 * @param status of the call; any value
 * @param answeredBy of the call; any value. A delivery need not have it (assumed: webhook-payload)
 */
export const getOutcome = (status: unknown, answeredBy: unknown): Outcome =>
	OUTCOME_RULES.find(
		(rule) =>
			rule.statuses.some((each) => each === status) &&
			(rule.answeredBy === undefined || rule.answeredBy === answeredBy),
	)?.outcome ?? 'unknown';

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/**
 * The outcomes that a call can have had, as far as its fields show: without `status` all of them, and
 * without `answered_by` a conversation can have been with a machine.
 */
export function possibleOutcomes(status: unknown, answeredBy: unknown): Outcome[] {
	if (isMissing(status)) return [...OUTCOME_RULES.map(({ outcome }) => outcome), 'unknown'];
	if (!isMissing(answeredBy)) return [getOutcome(status, answeredBy)];
	const rules = OUTCOME_RULES.filter(({ statuses }) => statuses.some((each) => each === status));
	return rules.length > 0 ? rules.map(({ outcome }) => outcome) : ['unknown'];
}
