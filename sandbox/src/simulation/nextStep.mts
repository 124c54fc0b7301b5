import type { Assistant, Call } from '../store/records.mts';
import type { State } from '../store/store.mts';
import type { Context } from '../domain/context.mts';
import { waitBefore } from './scenarios.mts';

/** Sets the timer for the next step of a call. A conversation ends at the limit of its assistant. */
export function planNextStep(context: Context, call: Call, assistant?: Assistant): void {
	const { state, now, callSpeed } = context;
	const limit = assistant?.settings.max_call_duration ?? Infinity;
	const end = call.answered_at === null ? Infinity : call.answered_at + (limit * 1000) / callSpeed;
	const next = now + waitBefore(call.scenario, call.step + 1) / callSpeed;
	const due = Math.max(now, Math.round(Math.min(next, end)));
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
