import type { Lead } from '../store/records.mts';
import { startCall } from './startCall.mts';
import type { Context } from '../domain/context.mts';

/**
 * Has a running campaign call as many of its waiting leads as it may at once. To be called
 * whenever there may be someone new to call: campaign started, lead added, call over, pause over.
 */
export function dial(context: Context, campaignId: number): void {
	const { state, now, assumptions } = context;
	const campaign = state.campaigns.get(campaignId);
	if (campaign?.status !== assumptions.campaignStatus.start || campaign.assistant_id === null)
		return;
	const assistant = state.assistants.get(campaign.assistant_id);
	if (!assistant) return;

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
		{ limit: Math.max(0, assumptions.campaignParallelCalls - running) },
	);
	for (const lead of waiting) {
		startCall(context, {
			assistant,
			type: 'outbound',
			phoneNumber: lead.phone_number,
			lead,
			scenario: undefined,
		});
	}
}

/** Writes down how a call to a lead ended, and plans the next attempt or gives up. */
export function noteOutcome(context: Context, lead: Lead, reached: boolean): void {
	const { state, now, assumptions } = context;
	const noted: Lead = { ...lead, call_again: false, updated_at: now };
	if (lead.call_again) {
		noted.next_attempt_at = now;
	} else {
		noted.next_attempt_at = now + assumptions.leadRetryWaitMs;
		noted.attempts = reached ? lead.attempts : lead.attempts + 1;
		if (reached) noted.status = 'completed';
		else if (lead.status === 'created' && noted.attempts >= assumptions.leadAttempts)
			noted.status = 'reached-max-retries';
	}
	state.leads.update(noted);
	planNextAttempt(context, noted);
}

/** Has the campaign of a lead that waits for its next attempt call it when the time has come. */
export function planNextAttempt({ state }: Context, lead: Lead): void {
	if (lead.status !== 'created' || lead.next_attempt_at === null) return;
	state.timers.insert({
		due: lead.next_attempt_at,
		kind: 'dial-campaign',
		subject_id: lead.campaign_id,
	});
}
