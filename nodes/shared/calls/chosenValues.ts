import { asText } from '../client/json';

/** The values that the user chose in a field of the type multiOptions. An expression can give one text. */
export const chosenValues = (value: unknown): unknown[] =>
	Array.isArray(value) ? value : asText(value) === '' ? [] : [value];
