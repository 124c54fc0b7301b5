import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { asText, isRecord } from '../values/json';
import { InvalidInput } from './errors';

const invalidBaseUrl = (what: string) =>
	new InvalidInput({
		message: `The Base URL of the credential ${what}`,
		nextStep:
			'Enter the address that your provider gives you, such as https://calls.example.com/api.',
	});

/**
 * Checks the Base URL of the credential and removes spaces and slashes at its ends. Nothing is guessed:
 * the token must not go to a wrong host.
 *
 * @param value what the user typed into the credential
 * @returns the address that the paths of the service are appended to; it ends in `/api` (contract: head)
 * @throws {InvalidInput} when it is empty, has no http(s) scheme, does not end in `/api`, or has parts
 * such as a user name or a query
 */
export function checkBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim().replace(/(?<!\/)\/+$/, '') : '';
	if (text === '') throw invalidBaseUrl('is empty');
	if (!/^https?:\/\//i.test(text)) throw invalidBaseUrl('does not start with https:// or http://');
	if (!URL.canParse(text)) throw invalidBaseUrl('is not a valid address');

	const url = new URL(text);
	if (url.username || url.password || url.search || url.hash || /[?#]/.test(text)) {
		throw invalidBaseUrl('must not contain a user name, a question mark or a number sign');
	}
	if (!url.pathname.endsWith('/api')) throw invalidBaseUrl('does not end in /api');
	return url.origin + url.pathname;
}

/** The credential type of this package. */
export const CREDENTIAL = 'voiceAssistantCallingApi';

/** The paging links of the contract show it (contract: List assistants; public-service: S1, S2, S12a, S4b). */
export const ASSISTANT_LIST_PATH = '/user/assistants/get';

/** Not in the contract (public-service: GET `/user/me`; S1, S2, S4, S7). */
export const ACCOUNT_PATH = '/user/me';

/** Where requests go. */
export interface Endpoint {
	/** Ends in `/api`, without a slash at the end. */
	baseUrl: string;
	/** Path of the list of assistants, below the base URL. */
	assistantListPath: string;
}

/** Refuses a token with characters that a header cannot carry: it would arrive changed. */
export function checkToken(value: unknown): string {
	const token = asText(value).trim();
	if (/^[\x21-\x7e]+$/.test(token)) return token;
	throw new InvalidInput({
		message: token
			? 'The API Token of the credential contains a character that is not allowed'
			: 'The API Token of the credential is empty',
		nextStep: 'Copy the token from your provider again.',
	});
}

function checkListPath(value: unknown): string {
	const path = asText(value).trim() || ASSISTANT_LIST_PATH;
	if (/^(\/[\w-]+)+$/.test(path)) return path;
	throw new InvalidInput({
		message: 'The Assistant List Path of the credential is not a path',
		nextStep: `Enter a path such as ${ASSISTANT_LIST_PATH}.`,
	});
}

/**
 * Checks the credential as the user filled it in.
 *
 * @param credential its fields, decrypted
 * @returns where requests go. Its list path throws when the path is wrong
 * @throws {InvalidInput} that names the wrong field, and never contains the token
 */
export function toEndpoint(credential: Record<string, unknown>): Endpoint {
	checkToken(credential.apiToken);
	return {
		baseUrl: checkBaseUrl(credential.baseUrl),
		// The check is lazy, because a wrong path matters only for its list.
		get assistantListPath() {
			return checkListPath(credential.assistantListPath);
		},
	};
}

/** How n8n names the error of an expression that it cannot evaluate (n8n.md#credential-without-an-item). */
const isExpressionError = (error: unknown) => isRecord(error) && error.name === 'ExpressionError';

const itemNeeded = () =>
	new InvalidInput({
		message:
			'The credential has an expression that needs an item, such as {{ $json.token }}, but triggers and lists to choose from have none',
		nextStep: 'Choose a credential with fixed values.',
	});

/**
 * Reads the credential of a trigger or a picker. n8n evaluates its expressions without a workflow and
 * without items (n8n.md#credential-without-an-item): `$json` and `$('Node')` throw, and `$itemIndex` is 0.
 *
 * @returns its fields, decrypted
 * @throws {InvalidInput} when an expression needs an item, and what n8n throws
 */
export const credentialWithoutItem = async (
	context:
		IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions,
): Promise<ICredentialDataDecryptedObject> =>
	await context
		.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL)
		.catch((error: unknown) => {
			throw isExpressionError(error) ? itemNeeded() : error;
		});
