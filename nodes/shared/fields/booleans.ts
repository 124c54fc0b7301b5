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

/** Whether a boolean field is switched on. */
export const isOn = (value: unknown): boolean => toBoolean(value) === true;

/** What is wrong with the value of a boolean field, or undefined. An empty field has no value. */
export const booleanProblem = (value: unknown): string | undefined =>
	isEmpty(value) || toBoolean(value) !== undefined ? undefined : 'must be true or false';
