import { checkedBaseUrl } from './baseUrl';
import { InvalidInput } from './errors';
import { asText } from './json';

/** The credential type of this package. */
export const CREDENTIAL = 'voiceAssistantCallingApi';

/** The path of the list of assistants is assumed (contract/assumptions.yaml, list assistants). */
export const ASSISTANT_LIST_PATH = '/user/assistants/get';

/** Where requests go. */
export interface Endpoint {
	/** Ends in `/api`, without a slash at the end. */
	baseUrl: string;
	/** Path of the list of assistants, below the base URL. */
	assistantListPath: string;
}

/** A token that no header can hold would be sent mangled. */
export function checkedToken(value: unknown): string {
	const token = asText(value).trim();
	if (/^[\x21-\x7e]+$/.test(token)) return token;
	throw new InvalidInput({
		message: token
			? 'The API Token of the credential contains a character that is not allowed'
			: 'The API Token of the credential is empty',
		nextStep: 'Copy the token from your provider again.',
	});
}

function checkedListPath(value: unknown): string {
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
 * @returns where requests go. Reading its `assistantListPath` throws when that is wrong
 * @throws {InvalidInput} that names the wrong field; never shows the token
 */
export function endpointOf(credential: Record<string, unknown>): Endpoint {
	checkedToken(credential.apiToken);
	return {
		baseUrl: checkedBaseUrl(credential.baseUrl),
		// Checked where it is used, because a wrong path concerns the list of assistants only.
		get assistantListPath() {
			return checkedListPath(credential.assistantListPath);
		},
	};
}
