import type { IDataObject } from 'n8n-workflow';

type Value = IDataObject[string];

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** A decimal text as a number. A text that a number cannot hold exactly stays as it is. */
export function toNumber(value: Value): Value {
	if (typeof value !== 'string' || !DECIMAL.test(value)) return value;
	const number = Number(value);
	return Number.isInteger(number) && !Number.isSafeInteger(number) ? value : number;
}

/** A flag as a boolean: the service writes some as 1 and 0 (contract: Assistant record). */
export const flagToBoolean = (value: Value): Value =>
	value === 1 ? true : value === 0 ? false : value;

/** An object without fields can be an empty list (public-service: empty-objects; S1, S9, S11). */
export const toMap = (value: Value): Value =>
	Array.isArray(value) && value.length === 0 ? {} : value;
