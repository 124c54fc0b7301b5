import type { IHookFunctions } from 'n8n-workflow';

import { triggerKey, webhookUrl } from './identity';

/**
 * n8n calls the hooks of a trigger once for each method of its webhook, all within one publish (n8n 2.0,
 * 2.41). They all mean the same registration.
 */
const ONE_PUBLISH_MS = 5_000;

/** What the last hook of a trigger did, by trigger and mode. */
const last = new Map<string, { did: 'register' | 'unregister'; at: number }>();

const keyOf = (context: IHookFunctions): string => `${triggerKey(context)} ${webhookUrl(context)}`;

/** Notes that a hook succeeded: the hooks of the other methods have nothing to do. */
export function noteHook(context: IHookFunctions, did: 'register' | 'unregister'): void {
	last.set(keyOf(context), { did, at: Date.now() });
}

/** Whether the same publish or unpublish has already done this for another method. */
export function isRepeated(context: IHookFunctions, doing: 'register' | 'unregister'): boolean {
	const { did, at } = last.get(keyOf(context)) ?? {};
	return did === doing && Date.now() - (at ?? 0) < ONE_PUBLISH_MS;
}
