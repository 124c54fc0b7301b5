import type { Assumptions } from '../../contract/assumptions.mts';
import type { Call } from '../../store/records.mts';

/**
 * Whether people talked to the end of a call, for the lead and for `send_webhook_only_on_completed`
 * (assumptions: completed-call-statuses, voicemail).
 */
export const isCompleted = (
	{ status, answered_by }: Pick<Call, 'status' | 'answered_by'>,
	assumptions: Assumptions,
): boolean => assumptions['completed-call-statuses'].includes(status) && answered_by !== 'machine';
