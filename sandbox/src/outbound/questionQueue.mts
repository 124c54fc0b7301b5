import { parseJson } from '../base/parseJson.mts';
import { stopwatch } from '../base/realTime.mts';
import type { Delivery, Variables } from '../store/records.mts';
import type { Context, Engine } from '../domain/context.mts';
import { addEvent, asClause, callSubjects, listFields } from '../domain/events.mts';
import { RequestQueue } from './requestQueue.mts';
import { JSON_HEADERS, MAX_BODY_LENGTH, send, type SendResult } from './send.mts';

/** Every call waits for its own answer, so more of them than of the webhooks are open at once. */
const MAX_IN_FLIGHT = 100;

/**
 * Asks inbound webhooks before calls are answered.
 *
 * @param continueCall lets the call go on, in the transaction that stores the answer
 */
export const questionQueue = (
	engine: Engine,
	continueCall: (context: Context, callId: number, waitingSince: number) => void,
): RequestQueue<Delivery> =>
	new RequestQueue({
		what: 'question',
		maxInFlight: MAX_IN_FLIGHT,
		pending: (limit) => {
			const section = { by: 'next_attempt_at', limit } as const;
			const { deliveries } = engine.state;
			return deliveries.select(
				[
					['state', 'is', 'pending'],
					['event', 'is', 'inboundQuestion'],
				],
				section,
			);
		},
		due: (question) => question.next_attempt_at,
		send: async (question, aborted) => {
			const at = new Date(engine.now()).toISOString();
			const elapsed = stopwatch();
			const result = await send({
				method: 'POST',
				url: question.url,
				headers: JSON_HEADERS,
				body: JSON.stringify(question.body),
				receiver: 'receiver',
				limit: engine.assumptions['inbound-webhook-timeout'],
				aborted,
			});
			const latency = elapsed();
			return () =>
				engine.commit((context) => {
					storeAnswer(context, question, at, result, latency);
					continueCall(context, question.call_id, question.next_attempt_at);
				});
		},
	});

function storeAnswer(
	context: Context,
	question: Delivery,
	at: string,
	result: SendResult,
	latency: number,
): void {
	const { state } = context;
	const { status, body } = result;
	const { variables, error } = readAnswer(result);
	state.deliveries.update({
		...question,
		state: error === null ? 'delivered' : 'failed',
		attempts: [{ at, cause: 'first', status, error }],
		answer: { latency_ms: latency, body, variables },
	});
	const { id, call_id, assistant_id } = question;
	const call = state.calls.get(call_id);
	if (call && variables) {
		state.calls.update({ ...call, input_variables: { ...call.input_variables, ...variables } });
	}
	const names = variables && Object.keys(variables).length > 0 ? listFields(variables) : 'none';
	addEvent(context, {
		kind: 'question-answered',
		level: error === null ? 'info' : 'warning',
		text:
			error === null
				? `The inbound webhook answered call ${call_id} after ${latency} ms. Variables: ${names}.`
				: `The inbound webhook gave call ${call_id} no variables: ${asClause(error)} The call goes on without them.`,
		...(call && callSubjects(call)),
		assistant_id,
		call_id,
		delivery_id: id,
	});
}

/** The variables of an answer (public-service.md, "Inbound webhook": S12b), or why it gives none. */
function readAnswer({ body, isWhole, status, error }: SendResult): {
	variables: Variables | null;
	error: string | null;
} {
	const wrong = (what: string) => ({ variables: null, error: `The answer ${what}.` });
	if (error !== null) return { variables: null, error };
	if (status !== null && !isWhole) return wrong(`is longer than ${MAX_BODY_LENGTH} characters`);
	const answer = parseJson(body);
	if (answer === undefined) return wrong('is no JSON');
	if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
		return wrong('is no JSON object');
	}
	const other = Object.entries(answer).find(([, value]) => typeof value !== 'string');
	return other ? wrong(`has “${other[0]}”, which is no text`) : { variables: { ...answer }, error };
}
