import type { IHookFunctions } from 'n8n-workflow';

import { credentialWithoutItem } from '../shared/client/credential';
import { ProcessMemory } from '../shared/processMemory';
import { asText } from '../shared/values/json';
import { toHash, type Purpose } from '../shared/webhook/token';
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

/** Where a webhook was replaced. */
export interface ReplacedKey {
	/** See {@link accountKey}. A new API token gives another name. */
	account: string;
	/** Of the token in the URL that the assistant shows, which a new API token does not change. */
	tokenHash: string;
}

/** Where it was replaced, as it is kept. An earlier version has stored neither. */
interface Kept {
	account?: string;
	/** Of the URLs before and after the last registration. */
	tokenHashes?: string[];
}

/** What is stored about one trigger and purpose at one account. */
interface Stored extends Kept {
	/** A copy of the workflow can contain the data of its original (n8n 2.0, 2.41: export:workflow). */
	trigger: string;
	registration?: SealedRegistration;
	isHidden?: boolean;
	settings: Settings;
}

/** More accounts than anybody tries with one trigger. */
const MAX_ACCOUNTS = 10;

/**
 * By trigger and purpose. n8n 2.0 forgets the static data of a failed publish, but calls `delete` after it, in
 * the same process.
 */
const inThisProcess = new ProcessMemory<Array<Replaced & Kept>>('replaced');

/** Finds what was replaced at an assistant: after a change of the API token, the token of the URL tells it. */
const findAt = <Entry extends Kept>(
	entries: Entry[],
	replacedKey: ReplacedKey,
): Entry | undefined =>
	entries.find(({ account }) => account === replacedKey.account) ??
	entries.find(({ tokenHashes }) => tokenHashes?.includes(replacedKey.tokenHash)) ??
	entries.find(({ account }) => account === undefined);

/**
 * Each purpose has a key of its own, because a trigger can move to another assistant while the service does
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

async function toStored(
	context: IHookFunctions,
	purpose: string,
	{ registration, unreadable, isHidden, settings }: Replaced,
): Promise<Stored> {
	const stored = { trigger: triggerKey(context), registration: unreadable, isHidden, settings };
	if (!registration) return stored;
	const { url, isActive } = registration;
	const sealedUrl = seal(url, await readApiToken(context), getMemoryKey(context, purpose));
	return { ...stored, registration: { sealedUrl, isActive } };
}

/** All that is stored for a purpose, of all accounts. */
function allStored(context: IHookFunctions, purpose: string): Stored[] {
	const text = context.getWorkflowStaticData('global')[getStorageKey(context, purpose)];
	if (typeof text !== 'string') return [];
	const stored = [JSON.parse(text) as Stored | Stored[]].flat();
	return stored.filter(({ trigger }) => trigger === triggerKey(context));
}

const allInProcess = (context: IHookFunctions, purpose: string) =>
	inThisProcess.get(getMemoryKey(context, purpose)) ?? [];

/** Reads what the trigger changed for this purpose at this account; nothing when it changed nothing. */
export async function readReplaced(
	context: IHookFunctions,
	purpose: Purpose,
	replacedKey: ReplacedKey,
): Promise<Replaced> {
	const name = JSON.stringify(purpose);
	const inProcess = findAt(allInProcess(context, name), replacedKey);
	const stored = findAt(allStored(context, name), replacedKey);
	if (!stored) return inProcess ?? { settings: {} };

	const { registration: sealed, isHidden, settings } = stored;
	if (!sealed) return { isHidden, settings };
	const { sealedUrl, isActive } = sealed;
	const url = unseal(sealedUrl, await readApiToken(context), getMemoryKey(context, name));
	if (url !== undefined) return { registration: { url, isActive }, settings };
	const registration = inProcess?.registration;
	return registration ? { registration, settings } : { unreadable: sealed, settings };
}

function storeAll(context: IHookFunctions, purpose: string, all: Stored[]): void {
	const [data, key] = [context.getWorkflowStaticData('global'), getStorageKey(context, purpose)];
	if (all.length === 0) delete data[key];
	else data[key] = JSON.stringify(all.slice(-MAX_ACCOUNTS));
}

/**
 * Stores what the trigger is about to change.
 *
 * @param token of the URL that it registers
 */
export async function storeReplaced(
	context: IHookFunctions,
	purpose: Purpose,
	replacedKey: ReplacedKey,
	replaced: Replaced,
	token: string,
): Promise<void> {
	const name = JSON.stringify(purpose);
	const stored = await toStored(context, name, replaced);
	const tokenHashes = [replacedKey.tokenHash, toHash(token)].filter(Boolean);
	const kept = { account: replacedKey.account, tokenHashes };
	removeReplaced(context, purpose, replacedKey);
	const others = allInProcess(context, name).slice(-MAX_ACCOUNTS);
	inThisProcess.set(getMemoryKey(context, name), [...others, { ...replaced, ...kept }]);
	storeAll(context, name, [...allStored(context, name), { ...stored, ...kept }]);
}

/** Forgets what the trigger had changed for this purpose at this account. */
export function removeReplaced(
	context: IHookFunctions,
	purpose: Purpose,
	replacedKey: ReplacedKey,
): void {
	const name = JSON.stringify(purpose);
	const [inProcess, all] = [allInProcess(context, name), allStored(context, name)];
	const [here, stored] = [findAt(inProcess, replacedKey), findAt(all, replacedKey)];
	const others = inProcess.filter((each) => each !== here);
	inThisProcess.set(getMemoryKey(context, name), others);
	storeAll(
		context,
		name,
		all.filter((each) => each !== stored),
	);
}
