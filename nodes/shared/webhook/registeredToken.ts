import type { IHookFunctions } from 'n8n-workflow';

import { asText } from '../client/json';
import { identityOf, type Purpose, type WebhookTriggerContext } from './identity';

/** The token that the trigger registered last. */
interface RegisteredToken {
	token: string;
	/** Whether the token is for this purpose. */
	isFor: (purpose: Purpose) => boolean;
}

/** Static data name their node, because a copy can contain them (n8n 2.0, 2.41: export:workflow). */
const nodeOf = (context: WebhookTriggerContext): string => {
	const { instanceId, workflowId, nodeId } = identityOf(context, []);
	return [instanceId, workflowId, nodeId].join(' ');
};

/**
 * Reads the token that the trigger registered last. It is stored so that deliveries still arrive after
 * the API token was changed. Tests and renamed nodes have no stored token (n8n 2.0, 2.41).
 *
 * @returns undefined when no token is stored, or the token of the original of a copy
 */
export function registeredToken(context: WebhookTriggerContext): RegisteredToken | undefined {
	const stored = context.getWorkflowStaticData('node');
	if (stored.node !== nodeOf(context)) return undefined;
	return {
		token: asText(stored.token),
		isFor: (purpose) => stored.purpose === JSON.stringify(purpose),
	};
}

/** Stores the token that is registered now. */
export function storeToken(context: IHookFunctions, token: string, purpose: Purpose): void {
	const registered = { token, node: nodeOf(context), purpose: JSON.stringify(purpose) };
	Object.assign(context.getWorkflowStaticData('node'), registered);
}

/** Removes the stored token after the registration was removed. */
export function removeToken(context: IHookFunctions): void {
	const stored = context.getWorkflowStaticData('node');
	for (const name of ['token', 'node', 'purpose']) delete stored[name];
}
