import { DateTime } from 'luxon';

import type { Assumptions } from '../contract/assumptions.mts';

export interface Fields {
	[name: string]: unknown;
}

export const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that are not named. */
export const without = (fields: Fields, names: string[] = []): Fields =>
	Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** The fields, and those of the others that are not among them. */
export const withOthers = (fields: Fields, others: Fields = {}): Fields => ({
	...fields,
	...without(others, Object.keys(fields)),
});

/** What users and their tools name: only whether it is empty matters. */
const FREE_OBJECTS = new Set([
	'evaluation',
	'extracted_variables',
	'input_variables',
	'variables',
	'webhook_response',
	'widget_settings',
]);

const PLAIN_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/**
 * A value of a record as the provider writes it (assumptions: id-form, number-form, boolean-form,
 * timestamp-form, empty-objects, list-form).
 *
 * @param name of its field; a list gives its own to its items
 */
export function providerValue(name: string, value: unknown, assumptions: Assumptions): unknown {
	if (Array.isArray(value)) {
		const items = value.map((item) => providerValue(name, item, assumptions));
		return providerList(items, assumptions);
	}
	if (isFields(value)) {
		const fields = Object.entries(value);
		if (fields.length === 0) return emptyObject(assumptions);
		if (FREE_OBJECTS.has(name)) return value;
		return Object.fromEntries(
			fields.map(([inner, each]) => [inner, providerValue(inner, each, assumptions)]),
		);
	}
	if (typeof value === 'number') {
		const isId = name === 'id' || name.endsWith('_id');
		return assumptions[isId ? 'id-form' : 'number-form'] === 'texts' ? String(value) : value;
	}
	if (typeof value === 'boolean') return boolean(value, assumptions);
	const isTime = name.endsWith('_at') && typeof value === 'string' && PLAIN_TIME.test(value);
	return isTime ? timestamp(value, assumptions) : value;
}

/** A list as the provider writes it (assumption: list-form). An empty one is an array. */
export const providerList = (
	items: unknown[],
	{ 'list-form': form }: Assumptions,
): unknown[] | Fields =>
	form === 'arrays' || items.length === 0 ? items : Object.fromEntries(items.entries());

function boolean(value: boolean, { 'boolean-form': form }: Assumptions): boolean | number | string {
	if (form === 'booleans') return value;
	return form === 'numbers' ? Number(value) : String(value);
}

function emptyObject({ 'empty-objects': form }: Assumptions): object | null {
	if (form === 'nulls') return null;
	return form === 'arrays' ? [] : {};
}

function timestamp(
	text: string,
	{ 'timestamp-form': form, 'time-zone': zone }: Assumptions,
): string | number | null {
	if (form === 'plain') return text;
	const time = DateTime.fromSQL(text, { zone });
	return form === 'unix' ? time.toUnixInteger() : time.toISO({ suppressMilliseconds: true });
}
