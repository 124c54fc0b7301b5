import type { Lead } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import {
	addEvent,
	describeLead,
	describeStatus,
	shownTime,
	leadSubjects,
} from '../domain/events.mts';
import { callBackup, planNextAttempt } from '../domain/lead/operations.mts';
import { startCall } from './startCall.mts';

/**
 * Starts calls to the waiting leads of a running campaign, as many as may run at the same time. To be
 * used whenever there may be a lead to call: campaign started, lead added, call over, pause over.
 */
export function callLeads(context: Context, campaignId: number): void {
	const { state, now, assumptions } = context;
	const campaign = state.campaigns.get(campaignId);
	const assistant = state.assistants.get(campaign?.assistant_id);
	if (campaign?.status !== assumptions['campaign-status'].start || !assistant) return;

	const running = state.calls.count([
		['campaign_id', 'is', campaignId],
		['running', 'is', true],
	]);
	const waiting = state.leads.select(
		[
			['campaign_id', 'is', campaignId],
			['status', 'is', 'created'],
			['next_attempt_at', '<=', now],
		],
		{ limit: Math.max(0, assumptions['campaign-parallel-calls'] - running) },
	);
	for (const lead of waiting) {
		startCall(context, { assistant, type: 'outbound', phoneNumber: lead.phone_number, lead });
	}
}

/** Stores how a call to a lead ended, and plans the next attempt or gives up. */
export function recordOutcome(context: Context, lead: Lead, reached: boolean): void {
	const { now, assumptions } = context;
	const updated: Lead = { ...lead, call_again: false, updated_at: now };
	if (lead.call_again) updated.next_attempt_at = now;
	else {
		updated.next_attempt_at = now + assumptions['lead-retry-wait'];
		updated.attempts = reached ? lead.attempts : lead.attempts + 1;
		if (reached) updated.status = 'completed';
		else if (lead.status === 'created' && updated.attempts >= assumptions['lead-attempts'])
			updated.status = 'reached-max-retries';
	}
	context.state.leads.update(updated);
	addEvent(context, {
		kind: 'lead-changed',
		text: `${describeLead(updated)} ${outcome(context, updated, lead)}.`,
		...leadSubjects(updated),
	});
	planNextAttempt(context, updated);
	if (updated.status !== lead.status && !reached) callBackup(context, updated);
}

/** Says how it goes on with a lead after a call; `before` is the lead as it was until then. */
function outcome(
	{ assumptions }: Context,
	{ status, attempts, next_attempt_at: next }: Lead,
	before: Lead,
): string {
	if (before.call_again) return 'is called again, because it was set to created during the call';
	if (status !== 'created')
		return `${status === before.status ? 'stays' : 'is'} “${describeStatus(status)}”`;
	const when = next === null ? '' : ` after ${shownTime(next, assumptions)}`;
	return `was not reached in attempt ${attempts} of ${assumptions['lead-attempts']}, and is called again${when}`;
}
