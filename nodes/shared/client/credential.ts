import { checkedBaseUrl } from './baseUrl';
import { InvalidInput } from './errors';
import { asText } from './json';

/** The credential type of this package. */
export const CREDENTIAL = 'voiceAssistantCallingApi';

/** This path is assumed (contract/assumptions.yaml, list-assistants-path). */
export const ASSISTANT_LIST_PATH = '/user/assistants/get';

/** This path is assumed too, and nothing but a picker uses it (list-campaigns-path). */
export const CAMPAIGN_LIST_PATH = '/user/campaigns/get';

/** Where requests go. */
export interface Endpoint {
	/** Ends in `/api`, without a slash at the end. */
	baseUrl: string;
	/** Path of the list of assistants, below the base URL. */
	assistantListPath: string;
	/** Path of the list of campaigns, below the base URL. */
	campaignListPath: string;
}

/** Refuses a token with characters that a header cannot carry: it would arrive changed. */
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

function checkedListPath(value: unknown, usual: string, field: string): string {
	const path = asText(value).trim() || usual;
	if (/^(\/[\w-]+)+$/.test(path)) return path;
	throw new InvalidInput({
		message: `The ${field} of the credential is not a path`,
		nextStep: `Enter a path such as ${usual}.`,
	});
}

/**
 * Checks the credential as the user filled it in.
 *
 * @param credential its fields, decrypted
 * @returns where requests go. Its two list paths throw when the path is wrong
 * @throws {InvalidInput} that names the wrong field, and never contains the token
 */
export function endpointOf(credential: Record<string, unknown>): Endpoint {
	checkedToken(credential.apiToken);
	return {
		baseUrl: checkedBaseUrl(credential.baseUrl),
		// The checks are lazy, because a wrong path matters only for its own list.
		get assistantListPath() {
			const { assistantListPath: path } = credential;
			return checkedListPath(path, ASSISTANT_LIST_PATH, 'Assistant List Path');
		},
		get campaignListPath() {
			const { campaignListPath: path } = credential;
			return checkedListPath(path, CAMPAIGN_LIST_PATH, 'Campaign List Path');
		},
	};
}
