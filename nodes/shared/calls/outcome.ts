import type { IDataObject } from 'n8n-workflow';

import { asText } from '../values/json';

/** How a call ended. */
export type CallOutcome = 'answered' | 'voicemail' | 'no-answer' | 'busy' | 'failed' | 'unknown';

interface OutcomeRule {
	/** Values of `status` (contract: States). */
	statuses: string[];
	/** Value of `answered_by` (contract: Call record). Undefined means any value, or none. */
	answeredBy?: 'machine';
	outcome: CallOutcome;
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

/** The statuses of a call that is not over (contract: States; assumed: final-call-statuses). */
const OPEN_STATUSES = ['initiated', 'ringing', 'in-progress'];

const rulesFor = (status: unknown): OutcomeRule[] =>
	OUTCOME_RULES.filter(({ statuses }) => statuses.includes(asText(status)));

/** Whether a status of the contract says that the call is not over. */
export const isOpenStatus = (status: unknown): boolean => OPEN_STATUSES.includes(asText(status));

/** Whether a call is over, by its status; undefined when the contract does not know the status. */
export function isOver({ status }: IDataObject): boolean | undefined {
	if (isOpenStatus(status)) return false;
	return rulesFor(status).length > 0 || undefined;
}

/**
 * Tells how a call ended.
 *
 * @param call its `status` and `answered_by`, each with any value. A delivery need not have `answered_by`
 * (public-service: Post-call webhook)
 */
export const getOutcome = ({ status, answered_by: who }: IDataObject): CallOutcome =>
	rulesFor(status).find(({ answeredBy }) => answeredBy === undefined || answeredBy === who)
		?.outcome ?? 'unknown';

/**
 * The outcomes that a call can have had, as far as its fields show: without `status` all of them, and without
 * `answered_by` a conversation can have been with a machine.
 */
export function possibleOutcomes(call: IDataObject): CallOutcome[] {
	const outcomes = rulesFor(call.status).map(({ outcome }) => outcome);
	if (outcomes.length === 0) {
		const isTold = asText(call.status) !== '';
		return isTold ? ['unknown'] : [...OUTCOME_RULES.map(({ outcome }) => outcome), 'unknown'];
	}
	return asText(call.answered_by) === '' ? outcomes : [getOutcome(call)];
}
