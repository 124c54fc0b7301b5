import { InvalidInput } from './errors';

/** A wrong Base URL is refused before anything is sent: no part of a host is ever guessed. */
const refuse = (what: string) =>
	new InvalidInput({
		message: `The Base URL of the credential ${what}`,
		nextStep: 'Enter the address that your provider gives you, such as https://calls.example.com/api.',
	});

/**
 * Checks the Base URL of the credential and takes slashes and spaces off its ends.
 *
 * @param value what the user typed into the credential
 * @returns the address that the paths of the service are appended to; it ends in `/api` (contract: head)
 * @throws {InvalidInput} when it is empty, has no http(s) scheme, does not end in `/api`, or holds more
 * than an address
 */
export function checkedBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
	if (text === '') throw refuse('is empty');
	if (!/^https?:\/\//i.test(text)) throw refuse('does not start with https:// or http://');
	if (!URL.canParse(text)) throw refuse('is not a valid address');

	const url = new URL(text);
	if (url.username || url.password || url.search || url.hash || /[?#]/.test(text)) {
		throw refuse('must not contain a user name, a question mark or a number sign');
	}
	if (!url.pathname.endsWith('/api')) throw refuse('does not end in /api');
	return url.origin + url.pathname;
}
