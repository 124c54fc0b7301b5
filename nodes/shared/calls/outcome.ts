import type { IDataObject } from 'n8n-workflow';

import { normaliseWord } from './normaliseWord';

/** How a call ended. */
export type Outcome = 'answered' | 'voicemail' | 'no-answer' | 'busy' | 'failed' | 'unknown';

interface OutcomeRule {
	/** Values of `status` (contract: States). */
	statuses: string[];
	/** Value of `answered_by` (contract: Call record), see {@link isAnsweredBy}. Undefined means any value, or none. */
	answeredBy?: 'machine';
	outcome: Outcome;
}

const CONVERSATION = ['completed', 'ended', 'ended_by_customer', 'ended_by_assistant'];

/**
 * The outcome of each final status; the first rule that fits decides. In every other status the outcome
 * is `unknown`: the call is still going on, or the status is not in the contract and the call has no duration.
 */
export const OUTCOME_RULES: OutcomeRule[] = [
	{ statuses: CONVERSATION, answeredBy: 'machine', outcome: 'voicemail' },
	{ statuses: CONVERSATION, outcome: 'answered' },
	// Some services have a status of their own for it (assumed: call-status-names).
	{ statuses: ['voicemail'], outcome: 'voicemail' },
	{ statuses: ['no-answer'], outcome: 'no-answer' },
	{ statuses: ['busy'], outcome: 'busy' },
	{ statuses: ['failed'], outcome: 'failed' },
];

/** The statuses of a call that is not over (contract: States; assumed: final-call-statuses). */
const OPEN_STATUSES = new Set(['initiated', 'ringing', 'in-progress'].map(normaliseWord));

const rulesOf = (statuses: string[]): OutcomeRule[] =>
	OUTCOME_RULES.filter((rule) => statuses.some((status) => rule.statuses.includes(status)));

const CONVERSATION_RULES = rulesOf(CONVERSATION);

/** The rules of each final status, in the spelling of {@link normaliseWord}. */
const FINAL_STATUSES = new Map(
	OUTCOME_RULES.flatMap(({ statuses }) => statuses).map((status) => [
		normaliseWord(status),
		rulesOf([status]),
	]),
);

/** Whether a status of the contract says that the call is not over. */
export const isOpenStatus = (status: unknown): boolean => OPEN_STATUSES.has(normaliseWord(status));

/** Whether a status of the contract says that the call is over. */
export const isFinalStatus = (status: unknown): boolean =>
	FINAL_STATUSES.has(normaliseWord(status));

/** A duration shows a conversation where the contract does not know the status (docs/decisions/0024). */
function rulesFor({ status, duration }: IDataObject): OutcomeRule[] {
	if (isOpenStatus(status)) return [];
	const isConversation = Number(duration) > 0;
	return FINAL_STATUSES.get(normaliseWord(status)) ?? (isConversation ? CONVERSATION_RULES : []);
}

/**
 * How providers write that a machine answered, in the spelling of {@link normaliseWord}. Those that know more write
 * it behind the word: `machine_start`.
 */
const MACHINE = /^((answering)?machine|voicemail)/;

const isAnsweredBy = (who: unknown, answeredBy: OutcomeRule['answeredBy']): boolean =>
	answeredBy === undefined || MACHINE.test(normaliseWord(who));

/**
 * Tells how a call ended.
 *
 * @param call its `status`, `answered_by` and `duration`, each with any value. A delivery need not have
 * `answered_by` (assumed: webhook-payload)
 */
export const getOutcome = (call: IDataObject): Outcome =>
	rulesFor(call).find(({ answeredBy }) => isAnsweredBy(call.answered_by, answeredBy))?.outcome ??
	'unknown';

/**
 * The outcomes that a call can have had, as far as its fields show: without `status` and `duration` all of
 * them, and without `answered_by` a conversation can have been with a machine.
 */
export function possibleOutcomes(call: IDataObject): Outcome[] {
	const outcomes = rulesFor(call).map(({ outcome }) => outcome);
	if (outcomes.length === 0) {
		const hasStatus = normaliseWord(call.status) !== '';
		return hasStatus ? ['unknown'] : [...OUTCOME_RULES.map(({ outcome }) => outcome), 'unknown'];
	}
	return normaliseWord(call.answered_by) === '' ? outcomes : [getOutcome(call)];
}
