import type { FieldErrors } from '../../shared/client/errors';
import type { Field } from './routing';

const onWire = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names one of the options with the tab in which it is, because a node opens with another tab. */
export const requestOptionLabel = (displayName: string): string =>
	`Settings → Request Options → ${displayName}`;

/** All fields, also those inside collections. */
export const flatten = (fields: Field[]): Field[] =>
	fields.flatMap((field) =>
		field.type === 'collection'
			? flatten((field.options ?? []).filter((option) => 'type' in option))
			: [field],
	);

/** The labels in a list: `1.phone_number` is *2 → Phone Number*, because the screen counts from 1. */
function insideList(field: Field, path: string[]): string[] {
	const values = (field.options ?? []).flatMap((option) =>
		'values' in option ? option.values : [],
	);
	return path.map((name) => {
		if (/^\d+$/.test(name)) return String(Number(name) + 1);
		return values.find((value) => onWire(value.name) === name)?.displayName ?? name;
	});
}

/**
 * Names a field as the user sees it.
 *
 * @param path of a value in the request: `schema.0.description`
 * @returns *Parameters → 1 → Description*; the path itself when no field sends the value
 */
export function getLabel(fields: Field[], path: string): string {
	const steps = path.split('.');
	const all = flatten(fields);
	for (let length = steps.length; length > 0; length--) {
		const property = steps.slice(0, length).join('.');
		const field = all.find(({ routing }) => routing?.send.property === property);
		if (field) {
			return [field.displayName, ...insideList(field, steps.slice(length))].join(' → ');
		}
	}
	return path;
}

/** The messages of a validation error under the names that the user sees. */
export const withLabels = (fields: Field[], errors: FieldErrors): FieldErrors =>
	Object.fromEntries(
		Object.entries(errors).map(([path, messages]) => [getLabel(fields, path), messages]),
	);
