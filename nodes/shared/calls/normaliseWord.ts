/**
 * Writes a word of a call, such as its status, in one way: providers write `no_answer`, `No Answer` and
 * `no-answer` (assumed: call-status-names).
 *
 * @returns the word in lower case, with `-` for `_` and spaces; empty when the value is no text
 */
export const normaliseWord = (value: unknown): string =>
	typeof value === 'string'
		? value
				.trim()
				.toLowerCase()
				.replace(/[\s_]+/g, '-')
		: '';
