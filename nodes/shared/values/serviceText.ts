/** In characters. A longer text is no sentence for a user, and would flood the screen. */
const MAX_LENGTH = 500;

/** A shorter token protects nothing, and would be found in many words. */
const MIN_SECRET_LENGTH = 4;

/** A text as a pattern in which no character has a special meaning. */
const literal = (text: string) => text.replace(/\W/g, '\\$&');

/**
 * Makes a text of the service fit to be shown: on one line, cut, and without the API token.
 *
 * @param secret that must not be shown, as it is, in JSON or in a URL, in any case: a URL has its host in lower case
 * @param maxLength in characters
 */
export function serviceText(text: string, secret = '', maxLength = MAX_LENGTH): string {
	const line = text.replace(/\s+/g, ' ').trim();
	// The text is cut last: a cut could leave a part of the token.
	const isSecret = secret.length >= MIN_SECRET_LENGTH;
	const inJson = JSON.stringify(secret).slice(1, -1);
	const forms = [secret, inJson, encodeURIComponent(secret)].map(literal).join('|');
	const safe = isSecret ? line.replace(new RegExp(forms, 'gi'), '***') : line;
	return safe.length > maxLength ? `${safe.slice(0, maxLength)}…` : safe;
}
