import { isEmpty } from './values';

const BOOLEANS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/**
 * Reads a boolean. Expressions often give texts, spreadsheets TRUE and databases 1.
 *
 * @returns undefined for any other value, also for an empty one
 */
export const toBoolean = (value: unknown): boolean | undefined =>
	['boolean', 'number', 'string'].includes(typeof value)
		? BOOLEANS.get(String(value).trim().toLowerCase())
		: undefined;

/** How databases, forms and people write a boolean. */
const WORDS = new Map([
	...['yes', 'y', 't', 'on'].map((word) => [word, true] as const),
	...['no', 'n', 'f', 'off'].map((word) => [word, false] as const),
]);

/** Reads a boolean that the service or an assistant wrote, also as a word. @returns see {@link toBoolean} */
export const booleanIn = (value: unknown): boolean | undefined =>
	toBoolean(value) ??
	(typeof value === 'string' ? WORDS.get(value.trim().toLowerCase()) : undefined);

/** Whether a boolean field is switched on. */
export const isOn = (value: unknown): boolean => toBoolean(value) === true;

/** What is wrong with the value of a boolean field, or undefined. An empty field has no value. */
export const booleanProblem = (value: unknown): string | undefined =>
	isEmpty(value) || toBoolean(value) !== undefined ? undefined : 'must be true or false';
