import { campaignSettings, retryWait } from '../domain/campaign/settings.mts';
import type { Lead } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import {
	addEvent,
	describeCampaign,
	describeLead,
	describeStatus,
	shownTime,
	leadSubjects,
} from '../domain/events.mts';
import { callBackup, planNextAttempt } from '../domain/lead/operations.mts';
import { startCall } from '../domain/call/startCall.mts';

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
		{ limit: Math.max(0, campaignSettings(campaign, assumptions).max_calls_in_parallel - running) },
	);
	for (const lead of waiting) {
		startCall(context, { assistant, type: 'outbound', phoneNumber: lead.phone_number, lead });
	}
}

/** Stores how a call to a lead ended, and plans the next attempt or gives up. */
export function recordOutcome(context: Context, lead: Lead, reached: boolean): void {
	const { state, now, assumptions } = context;
	const campaign = state.campaigns.get(lead.campaign_id);
	if (!campaign) return;
	const { max_retries: attempts } = campaignSettings(campaign, assumptions);
	const updated: Lead = { ...lead, call_again: false, updated_at: now };
	if (lead.call_again) updated.next_attempt_at = now;
	else {
		updated.next_attempt_at = now + retryWait(campaign, assumptions);
		updated.attempts = reached ? lead.attempts : lead.attempts + 1;
		if (reached) updated.status = 'completed';
		else if (lead.status === 'created' && updated.attempts >= attempts)
			updated.status = 'reached-max-retries';
	}
	state.leads.update(updated);
	addEvent(context, {
		kind: 'lead-changed',
		text: `${describeLead(updated)} ${outcome(context, updated, lead, attempts)}.`,
		...leadSubjects(updated),
	});
	planNextAttempt(context, updated);
	if (updated.status !== lead.status && !reached) callBackup(context, updated);
}

/**
 * Completes a running campaign that has no lead left to call, if it was created so (public-service.md: States
 * and transitions, S1, S2).
 */
export function completeCampaign(context: Context, campaignId: number): void {
	const { state, now, assumptions } = context;
	const campaign = state.campaigns.get(campaignId);
	if (campaign?.status !== assumptions['campaign-status'].start) return;
	if (!campaignSettings(campaign, assumptions).mark_complete_when_no_leads) return;
	const waiting = state.leads.first([
		['campaign_id', 'is', campaignId],
		['status', 'is', 'created'],
		['is_backup', 'is', false],
	]);
	if (waiting) return;
	state.campaigns.update({ ...campaign, status: 'completed', updated_at: now });
	const { user_id, assistant_id } = campaign;
	const text = `${describeCampaign(campaign)} is completed: it has no lead left to call.`;
	const subjects = { user_id, assistant_id, campaign_id: campaignId };
	addEvent(context, { kind: 'campaign-changed', text, ...subjects });
}

/** Says how it goes on with a lead after a call; `before` is the lead as it was until then. */
function outcome(
	{ assumptions }: Context,
	{ status, attempts, next_attempt_at: next }: Lead,
	before: Lead,
	attemptsAtMost: number,
): string {
	if (before.call_again) return 'is called again, because it was set to created during the call';
	if (status !== 'created')
		return `${status === before.status ? 'stays' : 'is'} “${describeStatus(status)}”`;
	const when = next === null ? '' : ` after ${shownTime(next, assumptions)}`;
	return `was not reached in attempt ${attempts} of ${attemptsAtMost}, and is called again${when}`;
}
