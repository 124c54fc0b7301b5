/**
 * Writes a word of a call, such as its status, in one way: providers write `no_answer`, `No Answer`, `noAnswer`
 * and `no-answer` (assumed: call-status-names).
 *
 * @returns the word in lower case, with `-` for `_`, spaces and capitals; empty when the value is no text
 */
export const normaliseWord = (value: unknown): string =>
	typeof value === 'string'
		? value
				.trim()
				.replace(/([a-z])([A-Z])/g, '$1-$2')
				.toLowerCase()
				.replace(/[\s_]+/g, '-')
		: '';
