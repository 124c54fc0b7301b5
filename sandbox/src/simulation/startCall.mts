import type { Assistant, Call, Lead, ToolChoice, Variables } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import { TOOL_CALL } from '../domain/call/scenarios.mts';
import {
	addEvent,
	nameOfAssistant,
	nameOfCall,
	nameOfCampaign,
	nameOfLead,
	subjectsOfCall,
} from '../domain/events.mts';
import { planNextStep } from './nextStep.mts';

/** A call that is to start. */
export interface NewCall {
	assistant: Assistant;
	type: 'inbound' | 'outbound';
	/** The other side's number, E.164. */
	phoneNumber: string;
	lead: Lead | undefined;
	/** Its scenario; undefined leaves the choice to lead, phone number and campaign, in this order. */
	scenario: string | undefined;
	/** What its scenario uses; undefined leaves the choice to the lead, then to the assistant. */
	tool: ToolChoice | undefined;
	/** What the assistant finds out; undefined leaves the choice to the lead, then to chance. */
	values: Variables | undefined;
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
	const campaign = lead && state.campaigns.get(lead.campaign_id);
	const tool = wanted.tool ?? lead?.tool ?? null;
	const scenario =
		wanted.scenario ??
		(wanted.tool && TOOL_CALL) ??
		lead?.scenario ??
		(lead?.tool && TOOL_CALL) ??
		scenarios.choose(wanted.phoneNumber, campaign?.mix ?? null, random);
	const line = assistant.settings.phone_number_id;
	const call = state.calls.insert({
		user_id: assistant.user_id,
		assistant_id: assistant.id,
		assistant_name: assistant.settings.assistant_name,
		campaign_id: campaign?.id ?? null,
		campaign_name: campaign?.name ?? null,
		lead_id: lead?.id ?? null,
		type: wanted.type,
		status: 'initiated',
		scenario,
		step: 0,
		tool,
		chosen_values: wanted.values ?? lead?.chosen_values ?? null,
		running: true,
		answered_at: null,
		assistant_phone_number: line === null ? '' : (state.phoneNumbers.get(line)?.phone_number ?? ''),
		client_phone_number: wanted.phoneNumber,
		input_variables: { ...assistant.settings.variables, ...lead?.variables },
		...emptyCall,
		created_at: now,
		updated_at: now,
	});
	if (lead) state.leads.update({ ...lead, next_attempt_at: null });
	const cause = [lead && nameOfLead(lead), campaign && nameOfCampaign(campaign)].filter(Boolean);
	addEvent(context, {
		kind: 'call-started',
		text:
			`${nameOfCall(call)} began, scenario ${scenario}, with ${nameOfAssistant(assistant)}` +
			`${cause.length > 0 ? `, for ${cause.join(' of ')}` : ''}.`,
		...subjectsOfCall(call),
	});
	planNextStep(context, call, assistant);
	return call;
}
