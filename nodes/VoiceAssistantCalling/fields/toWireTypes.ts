import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/client/json';
import { bodyOf, type PreSend } from './routing';
import { wireTypes, type WireType } from './wireTypes';

/** Whether a field holds nothing: then it is not sent, and nothing is cleared by accident. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

/** A date as an expression gives it: Luxon's and JavaScript's have `toJSON`. */
export const isDate = (value: unknown): value is Date =>
	typeof value === 'object' && value !== null && 'toJSON' in value;

/** A date in any form in which n8n gives it, as text. */
export const dateText = (value: unknown): string =>
	isDate(value) ? String(value.toJSON()) : String(value);

/** A JSON field: what is in it as text, or what an expression gave. */
export const parsedJson = (value: unknown): IDataObject =>
	(typeof value === 'string' ? JSON.parse(value || '{}') : (value ?? {})) as IDataObject;

const objectOrNothing = (value: IDataObject) => (Object.keys(value).length > 0 ? value : undefined);

/** The entries of a list of fields, which n8n keeps in an object with one group. */
function entriesOf(value: unknown): unknown[] | undefined {
	const entries: unknown = isRecord(value) ? Object.values(value)[0] : value;
	if (!Array.isArray(entries) || entries.length === 0) return undefined;
	return entries.map((entry) => (isRecord(entry) ? converted(entry, inEntry) : (entry as unknown)));
}

type Conversions = Record<WireType, (value: unknown) => unknown>;

const conversions: Conversions = {
	string: String,
	integer: Number,
	number: Number,
	boolean: (value) => String(value) === 'true',
	date: (value) => dateText(value).slice(0, 10),
	object: (value) => objectOrNothing(converted(parsedJson(value))),
	array: entriesOf,
};

/** An object in an entry of a list was entered as JSON: the names in it are the user's own. */
const inEntry: Conversions = {
	...conversions,
	object: (value) => objectOrNothing(parsedJson(value)),
};

/** Converts what has a name of the wire; everything else is left to the field that put it there. */
export function converted(values: IDataObject, to = conversions): IDataObject {
	const entries = Object.entries(values).map(([name, value]): [string, unknown] => {
		const type = wireTypes.get(name);
		if (type === undefined) return [name, value];
		return [name, isEmpty(value) ? undefined : to[type](value)];
	});
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as IDataObject;
}

/**
 * Gives every value the type that it has on the wire, and leaves out what is empty. Expressions give
 * numbers as text and the other way round, and n8n sends them as they are.
 */
export const toWireTypes: PreSend = (request) =>
	Promise.resolve({
		...request,
		qs: converted(request.qs ?? {}),
		body: converted(bodyOf(request)),
	});
