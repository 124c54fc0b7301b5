import type { FieldErrors } from '../../shared/client/errors';
import type { Field } from './routing';

const onWire = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All fields that may send something, those inside collections too. */
const flat = (fields: Field[]): Field[] =>
	fields.flatMap((field) =>
		field.type === 'collection'
			? flat((field.options ?? []).filter((option) => 'type' in option))
			: [field],
	);

/** The labels inside an entry of a list: `1.phone_number` is *2 → Phone Number*. */
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
 * @param path where the service found something wrong: `schema.0.description`
 * @returns *Parameters → 1 → Description*; the path itself where no field sends it
 */
export function labelOf(fields: Field[], path: string): string {
	const steps = path.split('.');
	const all = flat(fields);
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
		Object.entries(errors).map(([path, messages]) => [labelOf(fields, path), messages]),
	);
