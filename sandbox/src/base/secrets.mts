export type HttpHeaders = NodeJS.Dict<string | string[]>;

/** What is shown in place of a secret. */
export const HIDDEN = '…';

/** Words in the names of headers, fields and query parameters whose values are secret. */
const SECRET_WORDS =
	'auth(?!or(?!i))|token|key(?!word|board)|secret|passw|pwd|cookie|credential|session|signature|jwt|(?<![a-z])sig(?![a-z])';
/** A name that has one of them. The limits keep long texts cheap. */
const SECRET_NAME = `[\\w.-]{0,40}(?:${SECRET_WORDS})[\\w.-]{0,40}`;
/** A text in JSON, perhaps cut off. */
const JSON_TEXT = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"?';

const SECRET_HEADER = new RegExp(SECRET_WORDS, 'i');
const USER_INFO = /(:\/\/)[^/?#"\s\\<>]*@/g;
const PARAMETER = new RegExp(`((?:^|[?&])${SECRET_NAME}=)(?:[^&#"\\s\\\\<>]|\\\\.)*`, 'gi');
const FIELD = new RegExp(
	`("${SECRET_NAME}"\\s*:\\s*)(?!"(?:Bearer )?${HIDDEN})(?:${JSON_TEXT}|\\[(?:${JSON_TEXT}|[^"\\]{}])*\\]?)`,
	'gi',
);
/** The headers of a tool, as the service has them: name and value are fields. */
const TOOL_HEADERS = new RegExp(`"headers"\\s*:\\s*\\[(?:[^\\]"]|${JSON_TEXT})*`, 'g');
const HEADER_VALUE = new RegExp(`("value"\\s*:\\s*)${JSON_TEXT}`, 'g');

/** A URL, or a text that has URLs, without user names and passwords in them. */
export const hideUserInfo = (text: string): string => text.replace(USER_INFO, `$1${HIDDEN}@`);

/** A URL, or a text that has URLs, without user names, passwords and secret parameters in them. */
export const hideInUrl = (text: string): string =>
	hideUserInfo(text).replace(PARAMETER, `$1${HIDDEN}`);

/** JSON, whole or cut off, or any other text, without secrets that can be told by what they are called. */
export const hideSecrets = (text: string): string =>
	hideInUrl(text)
		.replace(FIELD, `$1"${HIDDEN}"`)
		.replace(TOOL_HEADERS, (headers) => headers.replace(HEADER_VALUE, `$1"${HIDDEN}"`));

/** The headers without the values of those that hold secrets. */
export const hideInHeaders = (headers: HttpHeaders): HttpHeaders =>
	Object.fromEntries(
		Object.entries(headers).map(([name, value]) => {
			if (!SECRET_HEADER.test(name)) return [name, value];
			return [name, name.toLowerCase() === 'authorization' ? `Bearer ${HIDDEN}` : HIDDEN];
		}),
	);

/** A URL as events show it: without password and query, in which secrets can be. */
export function shownUrl(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** A shorter token is no secret, and would be found in every text. */
const MIN_TOKEN_LENGTH = 8;

/** Hides API tokens wherever they are, as they are or as they are written in JSON and in URLs. */
export class HiddenTokens {
	readonly #pattern: RegExp | undefined;

	constructor(tokens: readonly string[]) {
		const forms = tokens
			.filter((token) => token.length >= MIN_TOKEN_LENGTH)
			.flatMap((token) => [
				token,
				JSON.stringify(token).slice(1, -1),
				encodeURIComponent(token.toWellFormed()),
			]);
		const escaped = [...new Set(forms)]
			.sort((one, other) => other.length - one.length)
			.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
		if (escaped.length > 0) this.#pattern = new RegExp(escaped.join('|'), 'g');
	}

	/** The text without tokens. */
	inText(text: string): string {
		return this.#pattern ? text.replace(this.#pattern, HIDDEN) : text;
	}

	/** The JSON text without tokens in its strings and the names of its fields. Numbers stay. */
	inJson(json: string): string {
		if (!this.#pattern || json.search(this.#pattern) < 0) return json;
		const hide = (_key: string, value: unknown): unknown => {
			if (typeof value === 'string') return this.inText(value);
			if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
			return Object.fromEntries(
				Object.entries(value).map(([name, item]) => [this.inText(name), item]),
			);
		};
		return JSON.stringify(JSON.parse(json, hide));
	}
}
