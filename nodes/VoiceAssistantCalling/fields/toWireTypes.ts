import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { toBoolean } from '../../shared/fields/booleans';
import { toDay } from '../../shared/fields/dates';
import { isEmpty } from '../../shared/fields/values';
import { isRecord, parseJson } from '../../shared/values/json';
import { getBody, type PreSend } from './routing';
import { wireTypes, type WireType } from './wireTypes';

/** The value of a JSON field: text of the user, or an object of an expression. */
export const parsedJson = (value: unknown): IDataObject =>
	(typeof value === 'string' ? parseJson(value || '{}') : (value ?? {})) as IDataObject;

const objectOrNothing = (value: IDataObject) => (Object.keys(value).length > 0 ? value : undefined);

/** The entries of a list. n8n keeps those of a table in an object with one property. */
function toEntries(value: unknown): unknown[] | undefined {
	const content: unknown = typeof value === 'string' ? parseJson(value) : value;
	const entries: unknown = isRecord(content) ? Object.values(content)[0] : content;
	if (!Array.isArray(entries) || entries.length === 0) return undefined;
	return entries.map((entry) =>
		isRecord(entry) ? converted(entry, entryConversions) : (entry as unknown),
	);
}

type Conversions = Record<WireType, (value: unknown) => unknown>;

const conversions: Conversions = {
	string: String,
	integer: Number,
	number: Number,
	boolean: toBoolean,
	date: toDay,
	object: (value) => objectOrNothing(converted(parsedJson(value))),
	array: toEntries,
};

/** In an entry of a list, the user entered each object as JSON: its names are not converted. */
const entryConversions: Conversions = {
	...conversions,
	object: (value) => objectOrNothing(parsedJson(value)),
};

/** Converts each value whose name is in the contract. `preSend` functions of fields use the others. */
export function converted(values: IDataObject, to = conversions): IDataObject {
	const entries = Object.entries(values).map(([name, value]): [string, unknown] => {
		const type = wireTypes.get(name);
		if (type === undefined) return [name, value];
		return [name, isEmpty(value) ? undefined : to[type](value)];
	});
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as IDataObject;
}

/**
 * Converts every value to its type in the contract, and leaves out empty values, so that nothing is
 * cleared by accident. Expressions give numbers as text and text as numbers, and n8n does not convert them.
 */
export const toWireTypes = ((request: IHttpRequestOptions) =>
	Promise.resolve({
		...request,
		qs: converted(request.qs ?? {}),
		body: converted(getBody(request)),
	})) satisfies PreSend;
