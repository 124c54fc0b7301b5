import { CALL_STATUSES } from '../../contract/statuses.mts';
import { asAssumed, differs, notChecked, readCheck } from '../check.mts';
import { isSafeName, safeNames } from '../describe.mts';
import { calls } from './lists.mts';

type CallStatus = (typeof CALL_STATUSES)[number];

/** The words that services use for a status. The first entry that matches is taken. */
const WORDS: ReadonlyArray<[status: CallStatus, words: RegExp]> = [
	['ended_by_customer', /customer|client|caller|callee|user/],
	['ended_by_assistant', /assistant|agent|bot/],
	['no-answer', /no.?answer|unanswered|missed|not.?answered/],
	['busy', /busy|engaged/],
	['failed', /fail|error/],
	['ringing', /ring|alert/],
	['initiated', /init|queue|create|schedule|pending|dial/],
	['in-progress', /progress|answered|active|ongoing|connected|talking/],
	['completed', /complete|finish|done|success/],
	['ended', /end|hang.?up|terminat|close/],
];

const isKnown = (status: string): boolean => CALL_STATUSES.some((known) => known === status);

/**
 * Which status of the contract each unknown one stands for, by its words. A status that two names
 * would stand for, or that the service has itself, stays out.
 */
function statusNames(unknown: string[], seen: ReadonlySet<string>): { [status: string]: string } {
	const pairs = unknown.filter(isSafeName).flatMap((name) => {
		const [status] = WORDS.find(([, words]) => words.test(name.toLowerCase())) ?? [];
		return status === undefined || seen.has(status) ? [] : [[status, name] as const];
	});
	const isAlone = (status: string): boolean =>
		pairs.filter(([other]) => other === status).length === 1;
	return Object.fromEntries(pairs.filter(([status]) => isAlone(status)));
}

const callStatusNames = readCheck(
	'call-status-names',
	'the statuses of the description',
	async (run, expected) => {
		const rows = await calls(run);
		const seen = new Set(rows.flatMap(({ status }) => (typeof status === 'string' ? status : [])));
		if (seen.size === 0) return notChecked(expected, 'The account has no calls.');
		const unknown = [...seen].filter((status) => !isKnown(status));
		if (unknown.length === 0) return asAssumed(expected, safeNames(seen), 'likely');
		const value = statusNames(unknown, seen);
		const meanings = Object.entries(value).map(([status, name]) => `${name} for ${status}`);
		return differs(expected, safeNames(unknown), {
			certainty: 'likely',
			...(Object.keys(value).length > 0 && { value }),
			advice: `The nodes pass on a status that they do not know. Workflows that compare statuses need these names. By their words, they are ${meanings.join(', ') || 'none of the description'}.`,
		});
	},
);

export const CALL_STATUS_CHECKS = [callStatusNames];
