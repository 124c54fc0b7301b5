import type { Assistant, Call } from '../store/records.mts';
import type { State } from '../store/store.mts';
import type { Context } from '../domain/context.mts';

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
 * Lets a call go on that waited for its tool. The speed of calls does not make the tool faster, so its
 * wait must count once in the duration, not `callSpeed` times: `answered_at` moves by the difference.
 *
 * @param waitingSince when the tool was called, in sandbox milliseconds
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
	planNextStep(context, continued, assistantOf(state, continued));
}

/** Who speaks for the service in this call. */
export const assistantOf = ({ assistants }: State, call: Call): Assistant | undefined =>
	call.assistant_id === null ? undefined : assistants.get(call.assistant_id);
