import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';
import { toHash, type Purpose } from './token';
import { triggerKey, type WebhookTriggerContext } from './triggerContext';

/** The token that the trigger registered last, as far as it is stored. */
interface RegisteredToken {
	hash: string;
	/** Whether the token is for this purpose. */
	isFor: (purpose: Purpose) => boolean;
}

/** What is stored: the hash of the token, the trigger and the purpose. */
const storedIn = ({ registered }: IDataObject): IDataObject =>
	isRecord(registered) ? registered : {};

/**
 * Reads what is stored of the token that the trigger registered last. It is stored so that deliveries still
 * arrive after the API token was changed. Tests and renamed nodes have no stored token (n8n 2.0, 2.41).
 *
 * @returns undefined when nothing is stored, or only what belongs to the original of a copy
 */
export function registeredToken(context: WebhookTriggerContext): RegisteredToken | undefined {
	const { trigger, purpose, tokenHash } = storedIn(context.getWorkflowStaticData('node'));
	// Static data name their trigger, because a copy can contain them (n8n 2.0, 2.41: export:workflow).
	if (trigger !== triggerKey(context)) return undefined;
	return { hash: asText(tokenHash), isFor: (other) => purpose === JSON.stringify(other) };
}

/**
 * Stores the token that is registered now: its hash, because everybody who may open or export the workflow
 * sees static data, and could forge deliveries with the token.
 */
export function storeToken(context: IHookFunctions, token: string, purpose: Purpose): void {
	context.getWorkflowStaticData('node').registered = {
		tokenHash: toHash(token),
		trigger: triggerKey(context),
		purpose: JSON.stringify(purpose),
	};
}

/** Removes what is stored after the registration was removed. */
export function removeToken(context: IHookFunctions): void {
	delete context.getWorkflowStaticData('node').registered;
}
