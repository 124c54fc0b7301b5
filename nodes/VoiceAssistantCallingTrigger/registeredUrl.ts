/** The query parameter of a registered URL with what it has replaced, sealed as in the static data. */
const PARAMETER = 'replaced';

/**
 * No document limits a webhook URL. The endpoint of a tool has this limit (public-service: Limits; S3). A shorter
 * one shows when the URL is written.
 */
const MAX_LENGTH = 2048;

/** The sealed text is base64url, so it needs no other characters. */
const REPLACED = new RegExp(`&${PARAMETER}=([\\w-]+)$`);

/**
 * Adds what a registration replaces to its URL, which the service keeps when n8n is killed before it stores it.
 *
 * @param url with its token
 * @param sealed undefined when it replaces nothing
 * @returns undefined when there is nothing to add, or no room for it
 */
export function withReplaced(url: string, sealed: string | undefined): string | undefined {
	if (sealed === undefined) return undefined;
	const registered = `${url}&${PARAMETER}=${sealed}`;
	return registered.length > MAX_LENGTH ? undefined : registered;
}

/** What a registered URL has replaced, sealed; undefined when it does not say so. */
export const replacedIn = (url: string): string | undefined => REPLACED.exec(url)?.[1];

/** The URL without it. */
export const withoutReplaced = (url: string): string => url.replace(REPLACED, '');
