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
export function checkedBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
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
