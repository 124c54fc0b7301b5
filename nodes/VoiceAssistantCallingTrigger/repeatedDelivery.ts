import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isOn } from '../shared/fields/booleans';
import { logHourly } from '../shared/log';
import { ProcessMemory } from '../shared/processMemory';
import { asText, isRecord } from '../shared/values/json';
import { toHash } from '../shared/values/hash';
import { isTest, triggerKey, workflowKey } from '../shared/webhook/triggerContext';
import { repeated } from './webhookMessages';

/** A delivery that n8n has not answered for so long may be lost. */
const MAX_WAIT_MS = 30_000;

/** The delivery that said this of a call. */
interface FirstDelivery {
	/** Settled when n8n has answered. */
	answered: Promise<void>;
	isTaken: boolean;
}

const firstDeliveries = new ProcessMemory<FirstDelivery>('deliveredCalls');

/** Lets a repeated delivery start the workflow: it was published again. A test leaves a published workflow alone. */
export const forgetDeliveries = (context: IHookFunctions): void => {
	if (!isTest(context)) firstDeliveries.deleteAll(triggerKey(context));
};

/** Waits until n8n has answered an earlier delivery, or the time is over. */
async function waitFor({ answered }: FirstDelivery, timeLimit: AbortSignal): Promise<void> {
	const timedOut = new Promise((resolve) => {
		timeLimit.addEventListener('abort', resolve);
	});
	await Promise.race([answered, timedOut]);
}

/**
 * Remembers a delivery that starts the workflow. It counts when n8n answers with a success, and is forgotten
 * otherwise. n8n answers also when the service has closed the connection, and has the execution nevertheless.
 */
function rememberWhenTaken(context: IWebhookFunctions, key: string): void {
	const response = context.getResponseObject();
	const end = response.end.bind(response);
	const delivery: FirstDelivery = { isTaken: false, answered: Promise.resolve() };
	delivery.answered = new Promise((resolve) => {
		response.end = ((...args: Parameters<typeof end>) => {
			response.end = end;
			delivery.isTaken = response.statusCode < 300;
			if (!delivery.isTaken && firstDeliveries.get(key) === delivery) firstDeliveries.delete(key);
			resolve();
			return end(...args);
		}) as typeof end;
	});
	firstDeliveries.set(key, delivery);
}

/**
 * Whether an earlier delivery of the last ten minutes had the same body: many services deliver again what they
 * think was lost. A repetition does not prolong this time, so a person who sends a delivery again need not count. One that comes while the earlier one has no answer yet waits for it, and starts the workflow if
 * n8n refuses the earlier one. Only this process knows of it. A body without an ID is never repeated: two
 * calls can be equal in all other fields.
 *
 * @param body that would start the workflow. If it is no repetition, it counts as the first one from now on
 */
export async function isRepeated(context: IWebhookFunctions, body: unknown): Promise<boolean> {
	if (context.getMode() === 'manual' || !isRecord(body) || asText(body.id) === '') return false;
	if (isOn(context.getNodeParameter('options.repeatedDeliveries', false))) return false;

	const key = `${workflowKey(context)} ${toHash(JSON.stringify(body))}`;
	const timeLimit = AbortSignal.timeout(MAX_WAIT_MS);
	let earlier = firstDeliveries.get(key);
	// Another one that waited may have taken the place of a refused one.
	while (earlier && !earlier.isTaken && !timeLimit.aborted) {
		await waitFor(earlier, timeLimit);
		earlier = firstDeliveries.get(key);
	}
	if (earlier?.isTaken) {
		logHourly(context, 'info', repeated(body));
		return true;
	}
	rememberWhenTaken(context, key);
	return false;
}
