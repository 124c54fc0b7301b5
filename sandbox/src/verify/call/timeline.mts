import { CALL_STATUSES } from '../../contract/statuses.mts';
import { asAssumed, differs, notChecked, type Check } from '../check.mts';
import { safeNames } from '../describe.mts';
import { ACTIVE_STATUSES } from './notification.mts';
import { ownCall } from './ownCall.mts';

/** How far a call has come: every final status is the last step. */
const step = (status: string): number => {
	const index = ACTIVE_STATUSES.indexOf(status);
	return index < 0 ? ACTIVE_STATUSES.length : index;
};

const isKnown = (status: string): boolean => CALL_STATUSES.some((known) => known === status);

const callTimeline: Check = {
	key: 'call-timeline',
	level: 'call',
	async run(run) {
		const { statuses } = await ownCall(run);
		const expected = `${ACTIVE_STATUSES.join(', ')}, then a final status`;
		if (statuses.length === 0) return notChecked(expected, 'The list did not show the call.');
		const seen = statuses.join(', ');
		if (!statuses.every(isKnown)) {
			const names = safeNames(statuses.filter((status) => !isKnown(status)));
			return notChecked(expected, `The call had statuses with other names: ${names}.`);
		}
		const isForward = statuses.every(
			(status, index) => index === 0 || step(status) > step(statuses[index - 1] ?? ''),
		);
		// Between two looks at the list, a status can pass unseen.
		return isForward ? asAssumed(expected, seen, 'likely') : differs(expected, seen);
	},
};

export const TIMELINE_CHECKS = [callTimeline];
