import type { Assistant, Call } from '../../store/records.mts';
import type { Context } from '../context.mts';
import { addEvent, callSubjects, describeAssistant, describeCall } from '../events.mts';

/**
 * Asks the inbound webhook of the assistant before an inbound call is answered (public-service.md, "Inbound
 * webhook": S4a, S4b, S12b; assumptions: inbound-webhook-events).
 *
 * @returns whether it is asked; the call then waits for the answer
 */
export function askBeforeCall(context: Context, call: Call, assistant: Assistant): boolean {
	const { state, now, assumptions } = context;
	const { inbound_webhook_url: url } = assistant;
	const isAsked = call.type === 'inbound' && assumptions['inbound-webhook-events'] === 'question';
	if (!isAsked || url === null) return false;
	const delivery = state.deliveries.insert({
		event: 'inboundQuestion',
		call_id: call.id,
		assistant_id: assistant.id,
		url,
		body: {
			customer_phone: call.client_phone_number || null,
			assistant_phone: call.assistant_phone_number || null,
		},
		attempts: [],
		state: 'pending',
		next_attempt_at: now,
		next_cause: 'first',
	});
	addEvent(context, {
		kind: 'question-asked',
		text: `${describeCall(call)}: the inbound webhook of ${describeAssistant(assistant)} is asked for variables before the call is answered.`,
		...callSubjects(call),
		delivery_id: delivery.id,
	});
	return true;
}
