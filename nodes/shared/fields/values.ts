import { asText, isRecord } from '../values/json';

/** Whether a field has no value. An expression with a missing or empty cell gives one of these. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

/** The value of a resource locator, which n8n gives as an object. Any other value is itself. */
export const getLocatorValue = (value: unknown): unknown =>
	isRecord(value) && value.__rl === true ? value.value : value;

/** A value as text, cut off where it would flood the screen. */
export const shortText = (value: unknown): string => {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** The values that the user chose in a field of the type multiOptions. An expression can give one text. */
export const chosenValues = (value: unknown): unknown[] =>
	Array.isArray(value) ? value : asText(value) === '' ? [] : [value];
