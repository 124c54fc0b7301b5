import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isOn } from '../shared/fields/booleans';
import { ProcessMemory } from '../shared/processMemory';
import { asText } from '../shared/values/json';
import { logOnce } from '../shared/webhook/logOnce';
import { toHash } from '../shared/webhook/token';
import { triggerKey, workflowKey } from '../shared/webhook/triggerContext';
import type { DeliveredCall } from './deliveredCall';
import { saysTheSame } from './messages';

/** A call that may start the workflow. */
export interface StartingCall {
	delivered: DeliveredCall;
	/** In the shape of `normaliseCall`. */
	call: IDataObject;
	item: IDataObject;
}

/** A delivery that n8n has not answered for so long may be lost. */
const MAX_WAIT_MS = 30_000;

/** The delivery that said this of a call. */
interface FirstDelivery {
	/** Settled when n8n has answered. */
	answered: Promise<void>;
	isTaken: boolean;
}

const firstDeliveries = new ProcessMemory<FirstDelivery>('deliveredCalls');

/** Lets a repeated delivery start the workflow: it was published again. */
export const forgetDeliveries = (context: IHookFunctions): void => {
	firstDeliveries.deleteAll(triggerKey(context));
};

/** Whether two calls can be told apart. */
const isIdentified = ({ call }: StartingCall): boolean =>
	asText(call.id) !== '' || asText(call.finished_at) !== '';

const contentOf = ({ delivered: { serviceEvent, call } }: StartingCall): string =>
	toHash(JSON.stringify([serviceEvent, call]));

/** The deliveries that said the same and have no answer yet. */
const unanswered = (keys: string[]): Array<Promise<void>> =>
	keys.flatMap((key) => {
		const { isTaken = true, answered } = firstDeliveries.get(key) ?? {};
		return isTaken || !answered ? [] : [answered];
	});

/** Waits until n8n has answered these deliveries, or the time is over. */
async function wait(open: Array<Promise<void>>, timeLimit: AbortSignal): Promise<void> {
	const isOver = new Promise((resolve) => {
		timeLimit.addEventListener('abort', resolve);
	});
	await Promise.race([Promise.all(open), isOver]);
}

/**
 * Remembers what starts the workflow. It counts when n8n answers with a success, and is forgotten otherwise.
 * n8n answers also when the service has closed the connection, and has the execution nevertheless.
 */
function rememberWhenTaken(context: IWebhookFunctions, keys: string[]): void {
	const response = context.getResponseObject();
	const end = response.end.bind(response);
	const delivery: FirstDelivery = { isTaken: false, answered: Promise.resolve() };
	delivery.answered = new Promise((resolve) => {
		response.end = ((...args: Parameters<typeof end>) => {
			response.end = end;
			delivery.isTaken = response.statusCode < 300;
			const isForgotten = (key: string) =>
				!delivery.isTaken && firstDeliveries.get(key) === delivery;
			for (const key of keys.filter(isForgotten)) firstDeliveries.delete(key);
			resolve();
			return end(...args);
		}) as typeof end;
	});
	for (const key of keys) firstDeliveries.set(key, delivery);
}

/**
 * Lets this delivery be the first one that says something, where none is. It waits for those without an answer,
 * and again if another one that waited has taken the place of a refused one.
 *
 * @returns what it is the first to say
 */
async function takePlaces(
	context: IWebhookFunctions,
	keys: string[],
	startedTimeLimit?: AbortSignal,
): Promise<string[]> {
	const open = unanswered(keys);
	if (open.length > 0 && !startedTimeLimit?.aborted) {
		const timeLimit = startedTimeLimit ?? AbortSignal.timeout(MAX_WAIT_MS);
		await wait(open, timeLimit);
		return await takePlaces(context, keys, timeLimit);
	}
	const own = keys.filter((key) => !firstDeliveries.get(key)?.isTaken);
	rememberWhenTaken(context, own);
	return own;
}

/**
 * Leaves out the calls of which an earlier delivery of the last day has said the same, field for field: many
 * services deliver again what they think was lost. One that comes while the earlier one has no answer yet
 * waits for it, and starts the workflow if n8n refuses the earlier one. Only this process knows of it.
 *
 * @param calls that would start the workflow
 * @returns those that start it
 */
export async function withoutRepeated(
	context: IWebhookFunctions,
	calls: StartingCall[],
): Promise<StartingCall[]> {
	if (calls.length === 0 || context.getMode() === 'manual') return calls;
	if (isOn(context.getNodeParameter('options.repeatedDeliveries', false))) return calls;

	const workflow = workflowKey(context);
	const keyed = calls.map((each) => ({
		each,
		key: isIdentified(each) ? `${workflow} ${contentOf(each)}` : undefined,
	}));
	const keys = [...new Set(keyed.flatMap(({ key }) => key ?? []))];
	const unused = new Set(await takePlaces(context, keys));
	return keyed.flatMap(({ key, each }) => {
		if (key === undefined || unused.delete(key)) return [each];
		logOnce(context, 'info', saysTheSame(each.delivered.call));
		return [];
	});
}
