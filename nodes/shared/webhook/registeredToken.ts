import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';
import { toHash } from '../values/hash';
import type { Purpose } from './token';
import {
	accountKey,
	readBaseUrl,
	triggerKey,
	webhookUrl,
	type WebhookTriggerContext,
} from './triggerContext';

/** What the trigger registered last, as far as it is stored. */
export interface RegisteredToken {
	/** Of the token. */
	hash: string;
	/** What it is for, as text. */
	purpose: string;
	/** The URL without its token. */
	address: string;
	/** Whether the token is for this purpose. */
	isFor: (purpose: Purpose) => boolean;
	/** Whether the credential is still that of the account, as far as n8n can know it. */
	isOfAccount: (account: string) => boolean;
	/** Whether it was registered at the service with this Base URL. */
	isOfService: (baseUrl: string) => boolean;
	/** Whether a URL is the address, whatever the paths of this n8n are now. */
	isAt: (url: string) => boolean;
}

const isSamePlace = ({ host, pathname }: URL, address: string): boolean =>
	URL.canParse(address) && new URL(address).host === host && new URL(address).pathname === pathname;

/** What is stored: the hash of the token, the trigger, the purpose, the account, the service and the address. */
const storedIn = ({ registered }: IDataObject): IDataObject =>
	isRecord(registered) ? registered : {};

/**
 * Reads what is stored of the token that the trigger registered last. It is stored so that deliveries still
 * arrive after the API token was changed. Tests and renamed nodes have no stored token (n8n.md#static-data-of-a-node).
 *
 * @returns undefined when nothing is stored, or only what belongs to the original of a copy
 */
export function registeredToken(context: WebhookTriggerContext): RegisteredToken | undefined {
	const { trigger, ...stored } = storedIn(context.getWorkflowStaticData('node'));
	// Static data name their trigger, because a copy can contain them (n8n.md#static-data-of-copies).
	if (trigger !== triggerKey(context)) return undefined;
	const purpose = asText(stored.purpose);
	const [account, address] = [asText(stored.account), asText(stored.address)];
	return {
		hash: asText(stored.tokenHash),
		purpose,
		address,
		isFor: (other) => purpose === JSON.stringify(other),
		isOfAccount: (other) => account === other,
		isOfService: (other) => asText(stored.baseUrl) === other,
		isAt: (url) => URL.canParse(url) && isSamePlace(new URL(url), address),
	};
}

/**
 * Stores the token that is registered now: its hash, because everybody who may open or export the workflow
 * sees static data, and could forge deliveries with the token.
 */
export async function storeToken(
	context: IHookFunctions,
	token: string,
	purpose: Purpose,
): Promise<void> {
	context.getWorkflowStaticData('node').registered = {
		tokenHash: toHash(token),
		trigger: triggerKey(context),
		purpose: JSON.stringify(purpose),
		account: await accountKey(context),
		baseUrl: await readBaseUrl(context),
		address: webhookUrl(context),
	};
}

/** Removes what is stored, when the registration is gone. */
export function removeToken(context: IHookFunctions): void {
	delete context.getWorkflowStaticData('node').registered;
}
