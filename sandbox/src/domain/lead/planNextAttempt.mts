import type { Lead } from '../../store/records.mts';
import type { Context } from '../context.mts';

/** Sets the timer for a waiting lead's next attempt, at which its campaign calls it. */
export function planNextAttempt({ state }: Context, lead: Lead): void {
	if (lead.status !== 'created' || lead.next_attempt_at === null) return;
	state.timers.insert({
		due: lead.next_attempt_at,
		kind: 'call-leads',
		subject_id: lead.campaign_id,
	});
}
