import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { asText, isRecord } from '../client/json';
import { triggerKey, type Purpose, type WebhookTriggerContext } from './triggerContext';
import { toHash } from './token';

/** The token that the trigger registered last, as far as it is stored. */
interface RegisteredToken {
	hash: string;
	/** Whether the token is for this purpose. */
	isFor: (purpose: Purpose) => boolean;
}

/** What builds before the first release stored: the token itself. */
const PLAIN_NAMES = ['token', 'node', 'purpose'];

const hasPlainToken = (data: IDataObject): boolean => data.token !== undefined;

/** What is stored: the hash of the token, the trigger and the purpose. */
function storedIn(data: IDataObject): IDataObject {
	const { registered, token, node, purpose } = data;
	if (hasPlainToken(data)) return { tokenHash: toHash(asText(token)), trigger: node, purpose };
	return isRecord(registered) ? registered : {};
}

function store(data: IDataObject, registered: IDataObject): void {
	data.registered = registered;
	for (const name of PLAIN_NAMES) delete data[name];
}

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
 * Replaces a token that a build before the first release stored by its hash. A delivery does not do it: it
 * would have to store all static data of the workflow, also those that a poll trigger changes at the same
 * moment.
 */
export function hashStoredToken(context: IHookFunctions): void {
	const data = context.getWorkflowStaticData('node');
	if (hasPlainToken(data)) store(data, storedIn(data));
}

/**
 * Stores the token that is registered now: its hash, because everybody who may open or export the workflow
 * sees static data, and could forge deliveries with the token.
 */
export function storeToken(context: IHookFunctions, token: string, purpose: Purpose): void {
	store(context.getWorkflowStaticData('node'), {
		tokenHash: toHash(token),
		trigger: triggerKey(context),
		purpose: JSON.stringify(purpose),
	});
}

/** Removes what is stored after the registration was removed. */
export function removeToken(context: IHookFunctions): void {
	const data = context.getWorkflowStaticData('node');
	for (const name of ['registered', ...PLAIN_NAMES]) delete data[name];
}
