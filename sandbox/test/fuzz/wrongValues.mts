import fc from 'fast-check';
import { isObject, type JsonObject } from '../support/contract.mts';
import { flatSchema, getLimit, getProperties } from '../support/schema.mts';

type Path = readonly (string | number)[];

const ONE_OF_EACH_TYPE = ['', 'text', '1', 0, 1, -1, 1.5, true, false, null, [], {}, [[]], [null]];

/** Ids of nobody's and of another user's records, and numbers at the edge of what can be counted. */
const WRONG_NUMBERS = [101, 999, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324, -5e-324];

/** What a path can have in the place of an id, and is none of Alice's. */
export const WRONG_IDS = [
	...['abc', 'null', '__proto__', '0', '-1', '+1', '1.0', '1.5', '1e0', '0x1', '01', '1,2', '1;a'],
	...['%20', '%201', '1%00', '1%0A', "1'--", '%2e%2e', '%E2%82%81', '%D9%A1', '%F0%9F%98%80'],
	...['101', '999', '9007199254740993', '9'.repeat(40), '{id}', ':id', '*'],
];

/** Names that objects have by themselves. */
export const PROTOTYPE_NAMES = [
	...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'],
	...['toJSON', 'then', 'length'],
];

/** A change of a body in one place. */
export type Change = (body: JsonObject) => JsonObject;

/** Changes that put one wrong value into a body of this schema, take a field away, or add one. */
export function oneWrongValue(schema: unknown): fc.Arbitrary<Change> {
	const wrong = placesIn(schema, []).map(({ path, schema: place }) =>
		wrongValues(place).map(
			(value): Change =>
				(body) =>
					changed(body, path, value),
		),
	);
	const unknownField = fc.constantFrom(...PROTOTYPE_NAMES, 'colour', '', 'a.b', '0').map(
		(name): Change =>
			(body) =>
				changed(body, [name], 1),
	);
	return fc.oneof(...wrong, unknownField);
}

/** Every field of a schema, at any depth, with its path. */
export function placesIn(schema: unknown, path: Path): { path: Path; schema: JsonObject }[] {
	const flat = flatSchema(schema);
	const inItems = isObject(flat.items) ? placesIn(flat.items, [...path, 0]) : [];
	const inFields = Object.entries(getProperties(flat)).flatMap(([name, property]) =>
		placesIn(property, [...path, name]),
	);
	return [...(path.length > 0 ? [{ path, schema: flat }] : []), ...inItems, ...inFields];
}

/** Values of every type, and values just beyond what a schema allows. */
export function valuesBeyond(schema: JsonObject): unknown[] {
	const min = getLimit(schema, 'minimum') ?? 0;
	const max = getLimit(schema, 'maximum') ?? Number.MAX_SAFE_INTEGER;
	const choices = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
	const tooLong = (getLimit(schema, 'maxLength') ?? 1000) + 1;
	return [
		...ONE_OF_EACH_TYPE,
		...[min - 1, min - 0.001, min + 0.5, max + 0.001, max + 1],
		...['x', 'ß', '📞'].map((one) => one.repeat(tooLong)),
		...choices.flatMap((choice) => [`${choice} `, choice.toUpperCase()]),
	];
}

/** Values most of which the schema refuses. Undefined takes the field away. */
export const wrongValues = (schema: JsonObject): fc.Arbitrary<unknown> =>
	fc.oneof(
		fc.constantFrom(undefined, ...valuesBeyond(schema)),
		fc.constantFrom(...WRONG_NUMBERS),
		fc.constantFrom(' ', '\n', '\0', ...PROTOTYPE_NAMES),
		fc.string({ unit: 'binary' }),
	);

/** A copy of the value with one field set; what is missing on the way to it is made. */
export function changed(value: unknown, [step, ...rest]: Path, wanted: unknown): JsonObject {
	const copy: object =
		typeof step === 'number'
			? Array.from(Array.isArray(value) ? (value as unknown[]) : [])
			: { ...(value ?? {}) };
	// Not an assignment, which would set the prototype.
	Object.defineProperty(copy, String(step), {
		value:
			rest.length > 0
				? changed(Object.entries(copy).find(([name]) => name === String(step))?.[1], rest, wanted)
				: wanted,
		enumerable: true,
		configurable: true,
		writable: true,
	});
	return copy as JsonObject;
}
