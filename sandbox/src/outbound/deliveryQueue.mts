import { milliseconds } from '../base/duration.mts';
import { shownUrl } from '../base/secrets.mts';
import type { Contract } from '../contract/contract.mts';
import type { NewEvent } from '../store/eventTable.mts';
import type { AttemptCause, Delivery, DeliveryAttempt } from '../store/records.mts';
import { webhookUrl } from '../domain/call/notifications.mts';
import type { Context, Engine } from '../domain/context.mts';
import { addEvent, asClause, shownTime, callSubjects } from '../domain/events.mts';
import { providerNotification } from '../provider/call.mts';
import { RequestQueue } from './requestQueue.mts';
import { JSON_HEADERS, send, type SendResult } from './send.mts';

const MAX_IN_FLIGHT = 20;

/** Delivers the queued webhooks. */
export const deliveryQueue = (engine: Engine, contract: Contract): RequestQueue<Delivery> =>
	new RequestQueue({
		what: 'delivery',
		maxInFlight: MAX_IN_FLIGHT,
		pending: (limit) => {
			const section = { by: 'next_attempt_at', limit } as const;
			return engine.state.deliveries.select(
				[
					['state', 'is', 'pending'],
					['event', 'is not', 'inboundQuestion'],
				],
				section,
			);
		},
		due: (delivery) => delivery.next_attempt_at,
		send: async (delivery, aborted) => {
			const at = new Date(engine.now()).toISOString();
			const assistant = engine.state.assistants.get(delivery.assistant_id);
			const url = assistant ? webhookUrl(assistant, delivery.event) : null;
			if (url === null) return () => cancel(engine, delivery);
			const result = await sendWebhook(engine, contract, { ...delivery, url }, aborted);
			return () => recordAttempt(engine, { ...delivery, url }, at, result);
		},
	});

async function sendWebhook(
	{ assumptions }: Engine,
	contract: Contract,
	delivery: Delivery,
	aborted: AbortSignal,
): Promise<SendResult> {
	const { event, url, body } = delivery;
	const violation = contract.webhookViolation(event, body);
	if (violation !== undefined) {
		const error = `The webhook violates the contract: ${violation}`;
		return { status: null, body: '', isWhole: false, error };
	}
	return send({
		method: 'POST',
		url,
		headers: JSON_HEADERS,
		body: JSON.stringify(providerNotification(body, assumptions)),
		receiver: 'receiver',
		limit: assumptions['webhook-timeout'],
		aborted,
	});
}

/** What was to be sent once more keeps its outcome. */
function cancel(engine: Engine, delivery: Delivery): void {
	const { attempts, next_cause: cause } = delivery;
	const isExtra = cause === 'replay' || cause === 'duplicate';
	const state = isExtra && attempts.length > 0 ? outcome(attempts) : 'cancelled';
	engine.commit((context) => {
		context.state.deliveries.update({ ...delivery, state });
		const told = { kind: 'webhook-cancelled', level: 'warning' } as const;
		const what = attempts.length > 0 ? 'was not sent again' : 'was not sent';
		tell(context, delivery, told, `${what}, because it was disabled before.`);
	});
}

/**
 * Stores an attempt, plans the next one where there is to be one, and updates the call. A duplicate is
 * sent of a webhook that was delivered. Its result changes neither the call nor the delivery's state.
 */
function recordAttempt(engine: Engine, delivery: Delivery, at: string, result: SendResult): void {
	const { status, error } = result;
	const cause = delivery.next_cause;
	const attempts = [...delivery.attempts, { at, cause, status, error }];
	engine.commit((context) => {
		const { state, now, assumptions } = context;
		const next = nextAttempt({ ...delivery, attempts }, assumptions['webhook-retries']);
		const updated: Delivery = {
			...delivery,
			attempts,
			state: next ? 'pending' : outcome(attempts),
			...(next && { next_attempt_at: now + next.pause, next_cause: next.cause }),
		};
		state.deliveries.update(updated);
		tellOfAttempt(context, updated, result);
		const call = state.calls.get(delivery.call_id);
		if (!call || delivery.event !== 'postCall' || cause === 'duplicate') return;
		const response = status === null ? { error } : { status, body: result.body };
		state.calls.update({ ...call, webhook_response: response });
	});
}

/** The last attempt that is no duplicate. */
const decisiveAttempt = (attempts: DeliveryAttempt[]): DeliveryAttempt | undefined =>
	attempts.findLast(({ cause }) => cause !== 'duplicate');

const outcome = (attempts: DeliveryAttempt[]): 'delivered' | 'failed' =>
	decisiveAttempt(attempts)?.error === null ? 'delivered' : 'failed';

/**
 * Why and after which pause a webhook is sent again; undefined when it is not, as after a replay that
 * failed.
 *
 * @param usualPauses the pauses before each repetition, unless a fault has others
 */
function nextAttempt(
	{ attempts, fault_rule: fault }: Delivery,
	usualPauses: number[],
): { cause: AttemptCause; pause: number } | undefined {
	const duplicates = attempts.filter(({ cause }) => cause === 'duplicate').length;
	const decisive = decisiveAttempt(attempts);
	if (decisive?.error === null) {
		return duplicates < (fault?.duplicate ?? 0) ? { cause: 'duplicate', pause: 0 } : undefined;
	}
	if (decisive?.cause === 'replay') return undefined;
	const pauses = fault?.retry?.map(milliseconds) ?? usualPauses;
	const pause = pauses[attempts.length - duplicates - 1];
	return pause === undefined ? undefined : { cause: 'retry', pause };
}

/** Tells of the last attempt, and of what is planned. */
function tellOfAttempt(context: Context, delivery: Delivery, { status, error }: SendResult): void {
	const { state, url, attempts, next_attempt_at: next } = delivery;
	const { cause } = attempts.at(-1) ?? {};
	const isReplay = cause === 'replay';
	if (error === null) {
		const sent = isReplay ? 'was sent again and delivered' : 'was delivered';
		const text = `${sent}${cause === 'duplicate' ? ' once more' : ''} to ${shownUrl(url)}, which answered ${status}.`;
		tell(context, delivery, { kind: 'webhook-delivered', level: 'info' }, text);
		return;
	}
	const isPlanned = state === 'pending';
	const plan = isPlanned
		? `The next attempt is at ${shownTime(next, context.assumptions)}.`
		: 'No further attempt is planned.';
	const level = isPlanned ? 'warning' : 'error';
	const what = isReplay ? 'was sent again and failed' : 'failed';
	tell(context, delivery, { kind: 'webhook-failed', level }, `${what}: ${asClause(error)} ${plan}`);
}

/** Adds an event about a webhook. @param whatHappened the rest of the sentence */
function tell(
	context: Context,
	{ id, event, call_id, assistant_id }: Delivery,
	kindAndLevel: Pick<NewEvent, 'kind' | 'level'>,
	whatHappened: string,
): void {
	const call = context.state.calls.get(call_id);
	const webhook = event === 'inboundCall' ? 'inbound webhook' : 'webhook';
	addEvent(context, {
		...kindAndLevel,
		text: `The ${webhook} of call ${call_id} ${whatHappened}`,
		...(call && callSubjects(call)),
		assistant_id,
		call_id,
		delivery_id: id,
	});
}
