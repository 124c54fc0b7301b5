import type { IHookFunctions } from 'n8n-workflow';

import { asText } from '../client/json';
import { triggerKey, type Purpose, type WebhookTriggerContext } from './identity';

/** The token that the trigger registered last. */
interface RegisteredToken {
	token: string;
	/** Whether the token is for this purpose. */
	isFor: (purpose: Purpose) => boolean;
}

/**
 * Reads the token that the trigger registered last. It is stored so that deliveries still arrive after
 * the API token was changed. Tests and renamed nodes have no stored token (n8n 2.0, 2.41).
 *
 * @returns undefined when no token is stored, or the token of the original of a copy
 */
export function registeredToken(context: WebhookTriggerContext): RegisteredToken | undefined {
	const stored = context.getWorkflowStaticData('node');
	// Static data name their trigger, because a copy can contain them (n8n 2.0, 2.41: export:workflow).
	if (stored.node !== triggerKey(context)) return undefined;
	return {
		token: asText(stored.token),
		isFor: (purpose) => stored.purpose === JSON.stringify(purpose),
	};
}

/** Stores the token that is registered now. */
export function storeToken(context: IHookFunctions, token: string, purpose: Purpose): void {
	const registered = { token, node: triggerKey(context), purpose: JSON.stringify(purpose) };
	Object.assign(context.getWorkflowStaticData('node'), registered);
}

/** Removes the stored token after the registration was removed. */
export function removeToken(context: IHookFunctions): void {
	const stored = context.getWorkflowStaticData('node');
	for (const name of ['token', 'node', 'purpose']) delete stored[name];
}
