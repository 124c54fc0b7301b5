import type { Assumptions } from '../../contract/assumptions.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Lead } from '../../store/records.mts';

/** The status of a lead as the service shows it (assumption: lead-statuses). */
export function shownStatus(
	{ status, attempts, next_attempt_at: next, is_backup: isBackup }: Lead,
	{ 'lead-statuses': statuses }: Assumptions,
): Schemas['ListedLeadStatus'] {
	if (statuses === 'contract' || status !== 'created' || isBackup) return status;
	if (next === null) return 'processing';
	return attempts > 0 ? 'rescheduled' : status;
}
