import type { IDataObject } from 'n8n-workflow';

import { toBoolean } from '../shared/fields/booleans';
import { isRecord } from '../shared/values/json';

/** A parameter that the tool declares (contract: Mid call tool, `schema`). */
export interface ToolParameter {
	name: string;
	type: 'string' | 'number' | 'boolean';
	description: string;
}

/** The values in their declared types, or a text about those that are missing or wrong, and their names. */
export type ParameterValues = { values: IDataObject } | { problem: string; unusable: string[] };

const toText = (value: unknown): string | undefined =>
	['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;

/** A number, or the text of a whole number that JavaScript would round. */
function toNumber(value: unknown): number | string | undefined {
	const given = typeof value === 'string' ? value.trim() : value;
	const number = typeof given === 'string' ? Number(given) : given;
	if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
	const isRounded =
		typeof given === 'string' && /^-?\d+$/.test(given) && !Number.isSafeInteger(number);
	return isRounded ? given : number;
}

const CONVERSIONS = {
	string: { convert: toText, noun: 'a text' },
	number: { convert: toNumber, noun: 'a number' },
	boolean: { convert: toBoolean, noun: 'true or false' },
};

const isMissing = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const listed = (names: string[]): string =>
	names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}` : names.join('');

/**
 * Converts the values of a tool call to their declared types. A whole number from 2^53 is a text with its
 * digits. Values that the tool does not declare are left out.
 *
 * @param parameters that the tool declares
 * @param sources body and query of the request, as received
 * @returns the values by name; or which ones are missing or wrong, in a text that an assistant can
 * act on
 */
export function toolParameters(parameters: ToolParameter[], sources: unknown[]): ParameterValues {
	const missing: string[] = [];
	const wrong: string[] = [];
	const unusable: string[] = [];
	const values: IDataObject = {};
	const records = sources.filter(isRecord);
	for (const { name, type } of parameters) {
		const given = records.find((record) => Object.hasOwn(record, name))?.[name];
		const { convert, noun } = CONVERSIONS[type];
		const value = convert(given);
		if (value === undefined || isMissing(given)) unusable.push(name);
		if (isMissing(given)) missing.push(name);
		else if (value === undefined) wrong.push(`${name} must be ${noun}`);
		else values[name] = value;
	}
	if (missing.length === 0 && wrong.length === 0) return { values };
	const texts = [
		missing.length > 0 ? `I still need ${listed(missing)}.` : '',
		wrong.length > 0 ? `The value of ${listed(wrong)}.` : '',
		'Please ask for it and try again.',
	];
	return { problem: texts.filter(Boolean).join(' '), unusable };
}
