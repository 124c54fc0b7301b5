import type { IHookFunctions } from 'n8n-workflow';

import { credentialWithoutItem } from '../shared/client/credential';
import { ProcessMemory } from '../shared/processMemory';
import { asText } from '../shared/values/json';
import { toHash } from '../shared/values/hash';
import type { Purpose } from '../shared/webhook/token';
import { triggerKey } from '../shared/webhook/triggerContext';
import type { KnownRegistration, Settings } from './events';
import { seal, unseal } from './sealedText';

/** What the assistant had before the trigger was registered, as far as the trigger changed it. */
export interface Replaced {
	/** The replaced webhook of another system. */
	registration?: KnownRegistration;
	/** The same, when the service does not show its URL. */
	isHidden?: boolean;
	/** The same, sealed, when it cannot be decrypted: the API token or the key of n8n was changed since. */
	unreadable?: string;
	settings: Settings;
}

/** Where a webhook was replaced. */
export interface ReplacedKey {
	/** See {@link accountKey}. A new API token gives another name. */
	account: string;
	/** Of the token in the URL that the assistant shows, which a new API token does not change. */
	tokenHash: string;
}

/** Where it was replaced, as it is kept. */
interface Kept {
	account: string;
	/** Of the URLs before and after the last registration. */
	tokenHashes: string[];
}

/** What is stored about one trigger and purpose at one account. */
interface Stored extends Kept {
	/** A copy of the workflow can contain the data of its original (n8n.md#static-data-of-copies). */
	trigger: string;
	/** The registration and the settings, sealed. Any part of another system's URL can be secret. */
	sealed?: string;
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
	{ account, tokenHash }: ReplacedKey,
): Entry | undefined =>
	entries.find((entry) => entry.account === account) ??
	entries.find(({ tokenHashes }) => tokenHashes.includes(tokenHash));

/**
 * Each purpose has a key of its own, because a trigger can move to another assistant while the service does
 * not answer. Then the first assistant still has the trigger's URL. The workflow's data stay when the node
 * is renamed (n8n.md#static-data-of-a-node).
 */
const getStorageKey = (context: IHookFunctions, purpose: string) =>
	`replaced ${context.getNode().id} ${purpose}`;

const getMemoryKey = (context: IHookFunctions, purpose: string) =>
	`${triggerKey(context)} ${purpose}`;

async function readApiToken(context: IHookFunctions): Promise<string> {
	const { apiToken } = await credentialWithoutItem(context);
	return asText(apiToken);
}

/** Decrypts what was replaced; undefined when another n8n or another API token has sealed it. */
async function unsealReplaced(
	context: IHookFunctions,
	purpose: string,
	sealed: string,
): Promise<Replaced | undefined> {
	const text = unseal(sealed, await readApiToken(context), getMemoryKey(context, purpose));
	return text === undefined ? undefined : (JSON.parse(text) as Replaced);
}

/** All that is stored for a purpose, of all accounts. */
function allStored(context: IHookFunctions, purpose: string): Stored[] {
	const text = context.getWorkflowStaticData('global')[getStorageKey(context, purpose)];
	if (typeof text !== 'string') return [];
	return (JSON.parse(text) as Stored[]).filter(({ trigger }) => trigger === triggerKey(context));
}

const allInProcess = (context: IHookFunctions, purpose: string) =>
	inThisProcess.get(getMemoryKey(context, purpose)) ?? [];

/**
 * Reads what the trigger changed for this purpose at this account; nothing when it changed nothing.
 *
 * @param inUrl the same, sealed, as the registered URL has it. It counts first, because it came with the write
 */
export async function readReplaced(
	context: IHookFunctions,
	purpose: Purpose,
	replacedKey: ReplacedKey,
	inUrl: string | undefined,
): Promise<Replaced> {
	const name = JSON.stringify(purpose);
	const inProcess = findAt(allInProcess(context, name), replacedKey);
	const stored = findAt(allStored(context, name), replacedKey);
	const { isHidden, settings } = stored ?? inProcess ?? { settings: {} };
	const allSealed = [inUrl, stored?.sealed].flatMap((each) => each ?? []);
	for (const sealed of allSealed) {
		const replaced = await unsealReplaced(context, name, sealed);
		if (replaced) return replaced;
	}
	const [unreadable] = allSealed;
	const registration = !stored || unreadable ? inProcess?.registration : undefined;
	return registration ? { registration, settings } : { isHidden, unreadable, settings };
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
 * @returns the same, sealed: nobody but this trigger can read it; undefined when no webhook is replaced
 */
export async function storeReplaced(
	context: IHookFunctions,
	purpose: Purpose,
	replacedKey: ReplacedKey,
	replaced: Replaced,
	token: string,
): Promise<string | undefined> {
	const name = JSON.stringify(purpose);
	const { registration, unreadable, isHidden, settings } = replaced;
	const [text, apiToken] = [
		JSON.stringify({ registration, settings }),
		await readApiToken(context),
	];
	const sealed = registration ? seal(text, apiToken, getMemoryKey(context, name)) : unreadable;
	const tokenHashes = [replacedKey.tokenHash, toHash(token)].filter(Boolean);
	const kept = { account: replacedKey.account, tokenHashes };
	removeReplaced(context, purpose, replacedKey);
	const others = allInProcess(context, name).slice(-MAX_ACCOUNTS);
	inThisProcess.set(getMemoryKey(context, name), [...others, { ...replaced, ...kept }]);
	const trigger = triggerKey(context);
	const stored = { trigger, sealed, isHidden, settings, ...kept };
	storeAll(context, name, [...allStored(context, name), stored]);
	return sealed;
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
