import { createHmac, timingSafeEqual } from 'node:crypto';

import { toHash } from '../values/hash';

/** Query parameter of a registered URL. */
const PARAMETER = 'token';

/**
 * What a trigger is registered for: for example the event and the assistant. A delivery names neither,
 * so the token of each purpose is different.
 */
export type Purpose = readonly string[];

/** Identifies a trigger and its purpose. Each copy of a workflow is another trigger. */
export interface TriggerIdentity {
	instanceId: string;
	workflowId: string;
	nodeId: string;
	purpose: Purpose;
}

/**
 * Derives the token that is part of a registered URL. It is the same in a test and in production, and
 * after a rename. A copy of the workflow gets another token. The key is the API token, because exported
 * workflow files contain everything else.
 *
 * @param apiToken of the account at the service
 * @param identity the trigger, and what it registers
 * @param origin scheme and host of n8n's webhook URLs
 * @returns 64 hexadecimal digits
 */
export const deriveToken = (
	apiToken: string,
	{ instanceId, workflowId, nodeId, purpose }: TriggerIdentity,
	origin: string,
): string =>
	createHmac('sha256', apiToken)
		.update(JSON.stringify([instanceId, workflowId, nodeId, purpose, origin]))
		.digest('hex');

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Derives a name for an account. It is stored, and tells nothing of the API token. */
export const deriveAccountKey = (apiToken: string, baseUrl: string): string =>
	createHmac('sha256', apiToken)
		.update(JSON.stringify(['account', baseUrl]))
		.digest('hex');

/** Compares two tokens in constant time. An empty token is never equal. */
export function isSameToken(given: string, expected: string): boolean {
	const [a, b] = [Buffer.from(given), Buffer.from(expected)];
	return a.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}

/** Compares a token with its hash in constant time: nobody guesses 256 bits, so it needs no salt. An empty token has none. */
export const hasHash = (token: string, hash: string): boolean =>
	token !== '' && isSameToken(toHash(token), hash);

/**
 * Adds a token to a webhook URL.
 *
 * @throws {TypeError} when the URL is not valid
 */
export function withToken(url: string, token: string): string {
	const registered = new URL(url);
	registered.searchParams.set(PARAMETER, token);
	return registered.href;
}

/** The token of a registered URL; empty when the URL has none or is not valid. */
export const getToken = (url: string): string =>
	URL.canParse(url) ? (new URL(url).searchParams.get(PARAMETER) ?? '') : '';
