import type { IDataObject } from 'n8n-workflow';

import { toBoolean } from '../shared/fields/booleans';
import { isRecord } from '../shared/values/json';

/** A parameter that the tool declares (contract: Mid call tool, `schema`). */
export interface ToolParameter {
	name: string;
	type: 'string' | 'number' | 'boolean';
	description: string;
}

/** What came of a tool call. */
export interface ParameterValues {
	/** In their declared types, by name. */
	values: IDataObject;
	/** Whether each parameter has a value. */
	isComplete: boolean;
	/** The parameters to ask for, and a text that does so. Somebody may be called Null: such a value is there, too. */
	unusable: string[];
	problem?: string;
}

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

/** What models write in place of a text that they do not have. */
const isWordForNothing = (value: unknown): boolean =>
	typeof value === 'string' && /^\s*(none|null|nil|undefined|n\/a|-)\s*$/i.test(value);

const listed = (names: string[]): string =>
	names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}` : names.join('');

/**
 * Converts the values of a tool call to their declared types. A whole number from 2^53 is a text with its
 * digits. Values that the tool does not declare are left out.
 *
 * @param parameters that the tool declares
 * @param sources body and query of the request, as received
 * @returns the values, and a text that an assistant can act on if some are missing, wrong, or words for nothing
 */
export function toolParameters(parameters: ToolParameter[], sources: unknown[]): ParameterValues {
	const missing: string[] = [];
	const wrong: string[] = [];
	const unusable: string[] = [];
	const values: IDataObject = {};
	let isComplete = true;
	const records = sources.filter(isRecord);
	for (const { name, type } of parameters) {
		const given = records.find((record) => Object.hasOwn(record, name))?.[name];
		// An expression can give another type since the publish.
		const { convert, noun } = CONVERSIONS[Object.hasOwn(CONVERSIONS, type) ? type : 'string'];
		const value = convert(given);
		const isUsable = value !== undefined && !isMissing(given);
		if (isUsable) values[name] = value;
		else isComplete = false;
		if (isUsable && !isWordForNothing(given)) continue;
		unusable.push(name);
		if (isUsable || isMissing(given)) missing.push(name);
		else wrong.push(`${name} must be ${noun}`);
	}
	if (unusable.length === 0) return { values, isComplete, unusable };
	const texts = [
		missing.length > 0 ? `I still need ${listed(missing)}.` : '',
		wrong.length > 0 ? `The value of ${listed(wrong)}.` : '',
		'Please ask for it and try again.',
	];
	return { values, isComplete, unusable, problem: texts.filter(Boolean).join(' ') };
}
