/** A text or a number of JSON. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

const LONG_INTEGER = /^-?\d{16,}$/;

const isInexact = (token: string): boolean =>
	LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token));

/**
 * Parses JSON. An integer that a number cannot hold exactly (from 2^53) becomes a text with the same
 * digits, because `JSON.parse` would round it, and an ID would be another one.
 *
 * @throws {SyntaxError} when the text is no JSON
 */
export function parseJson(text: string): unknown {
	if (!/\d{16}/.test(text)) return JSON.parse(text);
	return JSON.parse(
		text.replace(TEXT_OR_NUMBER, (token) => (isInexact(token) ? `"${token}"` : token)),
	);
}
