import type { Assistant, Call, Lead, ToolChoice, Variables } from '../../store/records.mts';
import type { Context } from '../context.mts';
import { askBeforeCall } from './inboundQuestion.mts';
import { TOOL_CALL } from './scenarios.mts';
import {
	addEvent,
	describeAssistant,
	describeCall,
	describeCampaign,
	describeLead,
	callSubjects,
} from '../events.mts';

export interface NewCall {
	assistant: Assistant;
	type: 'inbound' | 'outbound';
	/** The other side's number, E.164; empty when it is suppressed. */
	phoneNumber: string;
	lead?: Lead | undefined;
	/** Its scenario; undefined leaves the choice to lead, phone number and campaign, in this order. */
	scenario?: string | undefined;
	/** What its scenario uses; undefined leaves the choice to the lead, then to the assistant. */
	tool?: ToolChoice | undefined;
	/** What the assistant finds out; undefined leaves the choice to the lead, then to chance. */
	values?: Variables | undefined;
	/** What the assistant knows, beside its own variables and those of the lead. */
	variables?: Variables | undefined;
}

/** A call without a result (assumptions: call-empty-values). */
export const emptyCall = {
	duration: 0,
	transcript: '',
	variables: {},
	evaluation: {},
	webhook_response: {},
	carrier_cost: 0,
	total_cost: 0,
	answered_by: 'unknown',
	recording_url: null,
} satisfies Partial<Call>;

/** Starts a call and plans its next step. */
export function startCall(context: Context, { assistant, lead, ...wanted }: NewCall): Call {
	const { state, now, scenarios, random } = context;
	const { settings } = assistant;
	const campaign = lead && state.campaigns.get(lead.campaign_id);
	const scenario =
		wanted.scenario ??
		(wanted.tool && TOOL_CALL) ??
		lead?.scenario ??
		(lead?.tool && TOOL_CALL) ??
		scenarios.choose(wanted.phoneNumber, campaign?.mix ?? null, random);
	const call = state.calls.insert({
		...emptyCall,
		user_id: assistant.user_id,
		assistant_id: assistant.id,
		assistant_name: settings.assistant_name,
		assistant_phone_number: state.phoneNumbers.get(settings.phone_number_id)?.phone_number ?? '',
		campaign_id: campaign?.id ?? null,
		campaign_name: campaign?.name ?? null,
		lead_id: lead?.id ?? null,
		input_variables: { ...settings.variables, ...lead?.variables, ...wanted.variables },
		type: wanted.type,
		status: 'initiated',
		scenario,
		step: 0,
		tool: wanted.tool ?? lead?.tool ?? null,
		chosen_values: wanted.values ?? lead?.chosen_values ?? null,
		running: true,
		answered_at: null,
		client_phone_number: wanted.phoneNumber,
		created_at: now,
		updated_at: now,
	});
	if (lead) state.leads.update({ ...lead, next_attempt_at: null });
	const cause = [lead && describeLead(lead), campaign && describeCampaign(campaign)].filter(
		Boolean,
	);
	addEvent(context, {
		kind: 'call-started',
		text:
			`${describeCall(call)} began with ${describeAssistant(assistant)}` +
			`${cause.length > 0 ? `, for ${cause.join(' of ')}` : ''}. ` +
			`Scenario: ${scenarios.title(scenario)}.`,
		...callSubjects(call),
	});
	if (!askBeforeCall(context, call, assistant)) planNextStep(context, call, assistant);
	return call;
}

/** Sets the timer for the next step of a call. A conversation ends at the limit of its assistant. */
export function planNextStep(context: Context, call: Call, assistant?: Assistant): void {
	const { state, now, callSpeed, scenarios } = context;
	const limit = assistant?.settings.max_call_duration ?? Infinity;
	const end = call.answered_at === null ? Infinity : call.answered_at + (limit * 1000) / callSpeed;
	const next = now + scenarios.waitBefore(call.scenario, call.step + 1) / callSpeed;
	const due = Math.max(now, Math.round(Math.min(next, end)));
	state.timers.insert({ due, kind: 'advance-call', subject_id: call.id });
}

/**
 * Lets a call go on that waited for its tool, or for the answer to the question before it. The speed of calls does not make the tool faster, so its
 * wait must count once in the duration, not `callSpeed` times: `answered_at` moves by the difference.
 *
 * @param waitingSince when the request was made, in sandbox milliseconds
 */
export function continueCall(context: Context, callId: number, waitingSince: number): void {
	const { state, now, callSpeed } = context;
	const call = state.calls.get(callId);
	if (!call?.running) return;
	const uncounted = (now - waitingSince) * (1 - 1 / callSpeed);
	const continued: Call = {
		...call,
		answered_at: call.answered_at === null ? null : call.answered_at + uncounted,
	};
	state.calls.update(continued);
	planNextStep(context, continued, state.assistants.get(continued.assistant_id));
}
