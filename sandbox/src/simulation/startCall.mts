import type { Assistant, Call, Lead, ToolChoice } from '../store/records.mts';
import type { State } from '../store/store.mts';
import type { Context } from '../domain/context.mts';
import { scenarioOfNumber, stepOf, TOOL_CALL, waitBefore } from './scenarios.mts';

/** A call that is to start. */
export interface NewCall {
	assistant: Assistant;
	type: 'inbound' | 'outbound';
	/** The other side's number, E.164. */
	phoneNumber: string;
	lead: Lead | undefined;
	/** Its scenario; undefined leaves the choice to the lead, then to the phone number. */
	scenario: string | undefined;
	/** What its scenario uses; undefined leaves the choice to the lead, then to the assistant. */
	tool: ToolChoice | undefined;
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
	const { state, now } = context;
	const tool = wanted.tool ?? lead?.tool ?? null;
	const scenario =
		wanted.scenario ??
		(wanted.tool && TOOL_CALL) ??
		lead?.scenario ??
		(lead?.tool && TOOL_CALL) ??
		scenarioOfNumber(wanted.phoneNumber);
	const campaign = lead && state.campaigns.get(lead.campaign_id);
	const line = assistant.settings.phone_number_id;
	const call = state.calls.insert({
		user_id: assistant.user_id,
		assistant_id: assistant.id,
		assistant_name: assistant.settings.assistant_name,
		campaign_id: campaign?.id ?? null,
		campaign_name: campaign?.name ?? null,
		lead_id: lead?.id ?? null,
		type: wanted.type,
		status: stepOf(scenario, 0)?.status ?? 'failed',
		scenario,
		step: 0,
		tool,
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
	planNextStep(context, call, assistant);
	return call;
}

/** Sets the timer for the next step of a call. A conversation ends at the limit of its assistant. */
export function planNextStep({ state, now }: Context, call: Call, assistant?: Assistant): void {
	const limit = assistant?.settings.max_call_duration ?? Infinity;
	const end = call.answered_at === null ? Infinity : call.answered_at + limit * 1000;
	const due = Math.max(now, Math.min(now + waitBefore(call.scenario, call.step + 1), end));
	state.timers.insert({ due, kind: 'advance-call', subject_id: call.id });
}

/** Lets a call go on that waited for its tool. */
export function continueCall(context: Context, callId: number): void {
	const call = context.state.calls.get(callId);
	if (call?.running) planNextStep(context, call, assistantOf(context.state, call));
}

/** Who speaks for the service in this call. */
export const assistantOf = ({ assistants }: State, call: Call): Assistant | undefined =>
	call.assistant_id === null ? undefined : assistants.get(call.assistant_id);
