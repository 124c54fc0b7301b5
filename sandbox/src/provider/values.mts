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
function providerValue(name: string, value: unknown, assumptions: Assumptions): unknown {
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
	return typeof value === 'string' ? text(name, value, assumptions) : value;
}

/**
 * A field of a record as the provider writes it: {@link providerValue}, as JSON where it has an object or a list
 * (assumption: object-form).
 */
export function providerField(name: string, value: unknown, assumptions: Assumptions): unknown {
	const written = providerValue(name, value, assumptions);
	const isText =
		assumptions['object-form'] === 'texts' && typeof value === 'object' && value !== null;
	return isText ? JSON.stringify(written) : written;
}

/** The fields that have one of some words. */
const WORDS = new Set(['answered_by', 'status', 'type']);

/** A text of a record (assumptions: timestamp-form, phone-number-form, word-form, recording-form). */
function text(name: string, value: string, assumptions: Assumptions): unknown {
	if (name.endsWith('_at') && PLAIN_TIME.test(value)) {
		const time = DateTime.fromSQL(value, { zone: assumptions['time-zone'] });
		return timestamp(time, assumptions['timestamp-form']) ?? value;
	}
	if (/phone(_number)?$/.test(name) && assumptions['phone-number-form'] === 'numbers') {
		return /^\+\d+$/.test(value) ? Number(value) : value;
	}
	if (WORDS.has(name) && assumptions['word-form'] === 'labelled') {
		return { value, label: `${value.charAt(0).toUpperCase()}${value.slice(1)}` };
	}
	if (name !== 'recording_url' || assumptions['recording-form'] === 'text') return value;
	const file = { url: value, type: 'audio/wav' };
	return assumptions['recording-form'] === 'list' ? [file] : file;
}

/** A list as the provider writes it (assumption: list-form). An empty one is an array. */
export const providerList = (
	items: unknown[],
	{ 'list-form': form }: Assumptions,
): unknown[] | Fields =>
	form === 'arrays' || items.length === 0 ? items : Object.fromEntries(items.entries());

function boolean(value: boolean, { 'boolean-form': form }: Assumptions): boolean | number | string {
	switch (form) {
		case 'booleans':
			return value;
		case 'numbers':
			return Number(value);
		case 'texts':
			return String(value);
		case 'words':
			return value ? 'yes' : 'no';
	}
}

function emptyObject({ 'empty-objects': form }: Assumptions): object | null {
	if (form === 'nulls') return null;
	return form === 'arrays' ? [] : {};
}

/** A time as the provider writes it; undefined where it writes those of the contract (assumption: timestamp-form). */
export function timestamp(
	time: DateTime,
	form: Assumptions['timestamp-form'],
): string | number | null | undefined {
	switch (form) {
		case 'plain':
			return undefined;
		case 'iso':
			return time.toISO({ suppressMilliseconds: true });
		case 'rails':
			return time.toUTC().toFormat("yyyy-MM-dd HH:mm:ss 'UTC'");
		case 'mail':
			return time.toRFC2822();
		case 'unix':
			return time.toUnixInteger();
		case 'unix-fraction':
			return time.toUnixInteger() + 0.25;
	}
}
