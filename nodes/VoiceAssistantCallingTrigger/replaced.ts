import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { credentialWithoutItem } from '../shared/client/credential';
import { ProcessMemory } from '../shared/processMemory';
import { asText } from '../shared/values/json';
import type { Purpose } from '../shared/webhook/token';
import { triggerKey } from '../shared/webhook/triggerContext';
import type { KnownRegistration, Settings } from './events';
import { seal, unseal } from './sealedText';

/** A replaced webhook as it is stored. Any part of another system's URL can be secret. */
interface SealedRegistration {
	sealedUrl: string;
	isActive: boolean;
}

/** What the assistant had before the trigger was registered, as far as the trigger changed it. */
export interface Replaced {
	/** The replaced webhook of another system. */
	registration?: KnownRegistration;
	/** The same, when the service does not show its URL. */
	isHidden?: boolean;
	/** The same, when the API token was changed since: its URL cannot be decrypted. */
	unreadable?: SealedRegistration;
	settings: Settings;
}

/** What is stored about one trigger and purpose. */
interface Stored {
	/** A copy of the workflow can contain the data of its original (n8n 2.0, 2.41: export:workflow). */
	trigger: string;
	registration?: SealedRegistration;
	isHidden?: boolean;
	settings: Settings;
}

/**
 * By trigger and purpose. n8n 2.0 forgets the static data of a failed publish, but calls `delete` after it, in
 * the same process.
 */
const inThisProcess = new ProcessMemory<Replaced>('replaced');

/**
 * Each purpose has its own place, because a trigger can move to another assistant while the service does
 * not answer. Then the first assistant still has the trigger's URL. The workflow's data stay when the node
 * is renamed (n8n 2.0, 2.41).
 */
const getStorageKey = (context: IHookFunctions, purpose: string) =>
	`replaced ${context.getNode().id} ${purpose}`;

const getMemoryKey = (context: IHookFunctions, purpose: string) =>
	`${triggerKey(context)} ${purpose}`;

async function readApiToken(context: IHookFunctions): Promise<string> {
	const { apiToken } = await credentialWithoutItem(context);
	return asText(apiToken);
}

async function store(context: IHookFunctions, purpose: string, replaced: Replaced): Promise<void> {
	const { registration, unreadable, isHidden, settings } = replaced;
	const trigger = triggerKey(context);
	const stored: Stored = { trigger, registration: unreadable, isHidden, settings };
	if (registration) {
		const { url, isActive } = registration;
		const sealedUrl = seal(url, await readApiToken(context), getMemoryKey(context, purpose));
		stored.registration = { sealedUrl, isActive };
	}
	context.getWorkflowStaticData('global')[getStorageKey(context, purpose)] = JSON.stringify(stored);
}

function storedIn(data: IDataObject, key: string): Stored | undefined {
	const text = data[key];
	return typeof text === 'string' ? (JSON.parse(text) as Stored) : undefined;
}

/** Reads what the trigger changed for this purpose; nothing when it changed nothing. */
export async function readReplaced(context: IHookFunctions, purpose: Purpose): Promise<Replaced> {
	const name = JSON.stringify(purpose);
	const inProcess = inThisProcess.get(getMemoryKey(context, name));
	const stored = storedIn(context.getWorkflowStaticData('global'), getStorageKey(context, name));
	if (stored?.trigger !== triggerKey(context)) return inProcess ?? { settings: {} };

	const { registration: sealed, isHidden, settings } = stored;
	if (!sealed) return { isHidden, settings };
	const { sealedUrl, isActive } = sealed;
	const url = unseal(sealedUrl, await readApiToken(context), getMemoryKey(context, name));
	if (url !== undefined) return { registration: { url, isActive }, settings };
	const registration = inProcess?.registration;
	return registration ? { registration, settings } : { unreadable: sealed, settings };
}

/** Stores what the trigger is about to change. */
export async function storeReplaced(
	context: IHookFunctions,
	purpose: Purpose,
	replaced: Replaced,
): Promise<void> {
	const name = JSON.stringify(purpose);
	inThisProcess.set(getMemoryKey(context, name), replaced);
	await store(context, name, replaced);
}

/** Forgets what the trigger had changed for this purpose. */
export function removeReplaced(context: IHookFunctions, purpose: Purpose): void {
	const name = JSON.stringify(purpose);
	inThisProcess.delete(getMemoryKey(context, name));
	delete context.getWorkflowStaticData('global')[getStorageKey(context, name)];
}
