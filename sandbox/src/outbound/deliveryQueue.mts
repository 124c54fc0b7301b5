import { createHmac } from 'node:crypto';

import type { Contract } from '../contract/contract.mts';
import type { Delivery } from '../store/records.mts';
import { webhookUrl } from '../domain/call/notifications.mts';
import type { Engine } from '../domain/context.mts';
import { RequestQueue } from './requestQueue.mts';
import { send, type SendResult } from './send.mts';

const MAX_IN_FLIGHT = 20;

/** Delivers the queued webhooks. */
export const deliveryQueue = (engine: Engine, contract: Contract): RequestQueue<Delivery> =>
	new RequestQueue({
		what: 'delivery',
		maxInFlight: MAX_IN_FLIGHT,
		pending: (limit) =>
			engine.state.deliveries.select([['state', 'is', 'pending']], {
				by: 'next_attempt_at',
				limit,
			}),
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
	{ event, url, body }: Delivery,
	aborted: AbortSignal,
): Promise<SendResult> {
	const violation = contract.webhookViolation(event, body);
	if (violation !== undefined) {
		const error = `The webhook violates the contract: ${violation}`;
		return { status: null, body: '', isWhole: false, error };
	}
	const text = JSON.stringify(body);
	const signature = assumptions['webhook-signature'];
	const headers = {
		'content-type': 'application/json',
		'user-agent': 'sandbox-webhooks',
		...(signature && {
			[signature.header]: createHmac('sha256', signature.secret).update(text).digest('hex'),
		}),
	};
	return send(
		{ method: 'POST', url, headers, body: text },
		{ receiver: 'receiver', limit: assumptions['webhook-timeout'], aborted },
	);
}

function cancel(engine: Engine, delivery: Delivery): void {
	engine.commit(({ state }) => state.deliveries.update({ ...delivery, state: 'cancelled' }));
}

/** Stores an attempt, plans the next one where there is to be one, and updates the call. */
function recordAttempt(engine: Engine, delivery: Delivery, at: string, result: SendResult): void {
	const { status, error } = result;
	const attempts = [...delivery.attempts, { at, status, error }];
	engine.commit(({ state, now, assumptions }) => {
		const pause = assumptions['webhook-retries'][attempts.length - 1];
		const isRepeated = error !== null && pause !== undefined;
		state.deliveries.update({
			...delivery,
			attempts,
			state: error === null ? 'delivered' : isRepeated ? 'pending' : 'failed',
			next_attempt_at: isRepeated ? now + pause : delivery.next_attempt_at,
		});
		const call = state.calls.get(delivery.call_id);
		if (!call || delivery.event !== 'postCall') return;
		const response = status === null ? { error } : { status, body: result.body };
		state.calls.update({ ...call, webhook_response: response });
	});
}
