import type { IHookFunctions } from 'n8n-workflow';

import { asText } from '../client/json';
import { identityOf, type Purpose, type WebhookTriggerContext } from './identity';

/** What the trigger registered last. */
export interface RegisteredToken {
	token: string;
	/** Whether it was for this purpose. */
	isFor: (purpose: Purpose) => boolean;
}

/** Static data can travel with a copy (n8n 2.0, 2.41: export:workflow), so they name their node. */
const nodeOf = (context: WebhookTriggerContext): string => {
	const { instanceId, workflowId, nodeId } = identityOf(context, []);
	return [instanceId, workflowId, nodeId].join(' ');
};

/**
 * Reads the token that the trigger registered last. It is stored, so that deliveries still arrive after
 * the API token was changed. Tests have none, and a renamed node has none (n8n 2.0, 2.41).
 *
 * @returns undefined where none is stored, or only that of the original of a copy
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

/** Removes the stored token when nothing is registered any more. */
export function removeToken(context: IHookFunctions): void {
	const stored = context.getWorkflowStaticData('node');
	for (const name of ['token', 'node', 'purpose']) delete stored[name];
}
