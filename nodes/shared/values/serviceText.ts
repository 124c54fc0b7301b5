/** In characters. A longer text is no sentence for a user, and would flood the screen. */
const MAX_LENGTH = 500;

/** A shorter token protects nothing, and would be found in many words. */
const MIN_SECRET_LENGTH = 4;

/** A text as a pattern in which no character has a special meaning. */
const literal = (text: string) => text.replace(/\W/g, '\\$&');

/**
 * A text without the API token, as it is, in JSON or in a URL, in any case: a URL has its host in lower case.
 *
 * @param minLength of a token: a shorter one is found in other words
 */
export function withoutSecret(text: string, secret: string, minLength = MIN_SECRET_LENGTH): string {
	if (secret.length < minLength) return text;
	const inJson = JSON.stringify(secret).slice(1, -1);
	// PHP writes a slash in JSON as `\/` (php.net/json_encode).
	const forms = [secret, inJson, inJson.replaceAll('/', '\\/'), encodeURIComponent(secret)];
	return text.replace(new RegExp(forms.map(literal).join('|'), 'gi'), '***');
}

/**
 * Makes a text of the service fit to be shown: on one line, cut, and without the API token.
 *
 * @param maxLength in characters
 */
export function serviceText(text: string, secret = '', maxLength = MAX_LENGTH): string {
	const line = text.replace(/\s+/g, ' ').trim();
	// The text is cut last: a cut could leave a part of the token.
	const safe = withoutSecret(line, secret);
	return safe.length > maxLength ? `${safe.slice(0, maxLength)}…` : safe;
}
