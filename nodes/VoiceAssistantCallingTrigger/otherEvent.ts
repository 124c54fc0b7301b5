import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { log, logHourly } from '../shared/log';
import { ProcessMemory } from '../shared/processMemory';
import { receivingWebhook, triggerKey } from '../shared/webhook/triggerContext';

const otherEvents = new ProcessMemory<string>('otherEvents');

const keyOf = (context: IHookFunctions | IWebhookFunctions): string =>
	[triggerKey(context), receivingWebhook(context)].join(' ');

/** Writes into n8n's log that the service uses the inbound webhook for the other event. */
export function noteOtherEvent(context: IWebhookFunctions, line: string): void {
	logHourly(context, 'warn', line);
	otherEvents.set(keyOf(context), line);
}

/**
 * Says it again when the trigger is published with the same event. It publishes nevertheless, because one
 * request of a test button at the provider must not take the webhook away.
 */
export function warnOfOtherEvent(context: IHookFunctions): void {
	const line = otherEvents.get(keyOf(context));
	if (line !== undefined) log(context, 'warn', line);
}
