/**
 * Writes a word of a call, such as its status, in one way: providers write `no_answer`, `No Answer`, `noAnswer`
 * and `no-answer` (assumed: call-status-names).
 *
 * @returns the word in lower case, without spaces and signs between its parts; empty when the value is no text
 */
export const normaliseWord = (value: unknown): string =>
	typeof value === 'string' ? value.toLowerCase().replace(/[\s_-]+/g, '') : '';
