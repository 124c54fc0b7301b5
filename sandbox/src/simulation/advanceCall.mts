import { drawnTime } from '../base/drawn.mts';
import type { Assistant, Call } from '../store/records.mts';
import { isCompleted, notify } from '../domain/call/notifications.mts';
import type { Context } from '../domain/context.mts';
import { addEvent, describeCall, describeStatus, callSubjects } from '../domain/events.mts';
import { callCosts } from '../domain/prices.mts';
import { callLeads, completeCampaign, recordOutcome } from './callLeads.mts';
import { callResult, type CallResult } from './callResult.mts';
import { callTool } from './callTool.mts';
import { emptyCall, planNextStep } from '../domain/call/startCall.mts';

/** Moves a running call to the next step of its scenario. After the last step the call is over. */
export function advanceCall(context: Context, callId: number): void {
	const { state, now, scenarios } = context;
	const call = state.calls.get(callId);
	const step = call && scenarios.step(call.scenario, call.step + 1);
	if (!call?.running || !step) return;
	const assistant = state.assistants.get(call.assistant_id);
	const advanced: Call = {
		...call,
		step: call.step + 1,
		status: step.status,
		answered_at: step.status === 'in-progress' ? (call.answered_at ?? now) : call.answered_at,
		updated_at: now,
	};
	const isFinal = context.assumptions['final-call-statuses'].includes(step.status);
	if (isFinal || !scenarios.step(call.scenario, advanced.step + 1)) {
		finishCall(context, advanced, assistant);
		return;
	}
	state.calls.update(advanced);
	if (advanced.status !== call.status) tell(context, advanced);
	const isWaiting = step.calls_tool && assistant && callTool(context, advanced, assistant);
	if (!isWaiting) planNextStep(context, advanced, assistant);
}

function finishCall(context: Context, call: Call, assistant: Assistant | undefined): void {
	const { state, now, callSpeed } = context;
	const talked = call.answered_at === null ? 0 : (now - call.answered_at) * callSpeed;
	const duration = Math.round(talked / 1000);
	const result =
		call.answered_at !== null && assistant ? callResult(context, call, assistant) : undefined;
	const lateness = result && context.assumptions['call-result-time'];
	const finished: Call = {
		...call,
		...result,
		...(lateness && withLateResult(result)),
		...callCosts(duration),
		running: false,
		duration,
	};
	state.calls.update(finished);
	tell(context, finished);

	const lead = state.leads.get(finished.lead_id);
	if (lead) recordOutcome(context, lead, isCompleted(finished, context.assumptions));
	if (lateness) {
		const due = now + drawnTime(lateness, context.seed, 'call-result-time', call.id);
		state.timers.insert({ due, kind: 'show-call-result', subject_id: call.id });
	} else if (assistant) notify(context, finished, assistant);
	if (finished.campaign_id === null) return;
	callLeads(context, finished.campaign_id);
	completeCampaign(context, finished.campaign_id);
}

/** Keeps for later what is not there at the end of a call. */
const withLateResult = (result: CallResult): Partial<Call> => ({
	transcript: emptyCall.transcript,
	evaluation: emptyCall.evaluation,
	recording_url: emptyCall.recording_url,
	late_result: {
		transcript: result.transcript,
		evaluation: result.evaluation,
		recording_url: result.recording_url,
	},
});

/** Shows the transcript, recording and evaluation of a call some time after its end, and sends its webhooks. */
export function showCallResult(context: Context, callId: number): void {
	const { state, now } = context;
	const call = state.calls.get(callId);
	if (!call?.late_result) return;
	const { late_result: result, ...rest } = call;
	const shown: Call = { ...rest, ...result };
	state.calls.update(shown);
	const seconds = (now - call.updated_at) / 1000;
	const text = `The transcript of ${describeCall(call)} came ${seconds} s after its end.`;
	addEvent(context, { kind: 'weather', text, ...callSubjects(call) });
	const assistant = state.assistants.get(call.assistant_id);
	if (assistant) notify(context, shown, assistant);
}

function tell(context: Context, call: Call): void {
	const { status, running, answered_at: answeredAt, duration } = call;
	const talked = answeredAt === null ? '' : ` after ${duration} seconds`;
	const [kind, predicate] = !running
		? (['call-ended', `ended${talked}: ${describeStatus(status)}`] as const)
		: status === 'in-progress'
			? (['call-answered', 'was answered'] as const)
			: (['call-ringing', `is ${describeStatus(status)}`] as const);
	const text = `${describeCall(call)} ${predicate}.`;
	const level = status === 'failed' ? 'warning' : 'info';
	addEvent(context, { kind, text, level, ...callSubjects(call) });
}
