import fc from 'fast-check';
import type { JsonObject } from '../support/contract.mts';
import { recordIds } from './recordId.mts';
import { flatSchema, getLimit, getProperties, getRequired, getTypes } from '../support/schema.mts';

/** Nothing listens there, and no request leaves this machine. */
const URLS = ['http://127.0.0.1:1/', 'HTTPS://127.0.0.1:1/hook?a=b&c=%20#d', 'http://u:p@[::1]:1'];

const PHONE_NUMBERS = fc.oneof(
	fc.integer({ min: 0, max: 999 }).map((end) => `+49151123${String(end).padStart(5, '0')}`),
	fc.constantFrom('+14155552671', '0049 151 12345611', '(+49) 151-123 456 12', '+33612345611'),
);

/** Values of fields for which the contract does not say what there is. */
const KNOWN: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
	language: fc.constantFrom('English', 'German'),
	timezone: fc.constantFrom('Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata'),
	phone_number: PHONE_NUMBERS,
	to: PHONE_NUMBERS,
};

const ANY_VALUE = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });

/** Values that a schema of the contract accepts. @param name of the field, if it is one */
export function validValues(schema: unknown, name = ''): fc.Arbitrary<unknown> {
	const known = KNOWN[name];
	if (known) return known;
	const flat = flatSchema(schema);
	if (typeof flat['x-refers-to'] === 'string') return getIds(flat['x-refers-to'], getTypes(flat));
	if (Array.isArray(flat.enum)) return fc.constantFrom(...(flat.enum as unknown[]));
	return fc.oneof(...getTypes(flat).map((type) => valuesOfType(type, flat)));
}

function getIds(kind: string, types: string[]): fc.Arbitrary<unknown> {
	const ids = recordIds(kind);
	if (types.includes('array')) return fc.array(ids, { maxLength: 3 });
	return types.includes('null') ? fc.oneof(ids, fc.constant(null)) : ids;
}

function valuesOfType(type: string, schema: JsonObject): fc.Arbitrary<unknown> {
	const [min, max] = [getLimit(schema, 'minimum'), getLimit(schema, 'maximum')];
	switch (type) {
		case 'string':
			return texts(schema);
		case 'integer':
			return fc.integer({ min: min ?? 0, max: max ?? 1000 });
		case 'number':
			return fc.double({
				noNaN: true,
				noDefaultInfinity: true,
				...(min !== undefined && { min }),
				...(max !== undefined && { max }),
			});
		case 'boolean':
			return fc.boolean();
		case 'null':
			return fc.constant(null);
		case 'array':
			return fc.array(validValues(schema.items), { maxLength: 3 });
		case 'object':
			return objects(schema);
		default:
			throw new Error(`The contract has a new type, ${type}.`);
	}
}

function texts(schema: JsonObject): fc.Arbitrary<string> {
	if (String(schema.format).startsWith('uri')) return fc.constantFrom(...URLS);
	if (schema.format === 'date') return fc.constantFrom('2026-03-01', '2026-03-02', '2028-02-29');
	if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern));
	const minLength = getLimit(schema, 'minLength') ?? 0;
	const maxLength = getLimit(schema, 'maxLength') ?? 300;
	const short = { minLength, maxLength: Math.min(maxLength, minLength + 20) };
	return fc.oneof(
		{ weight: 6, arbitrary: fc.string({ ...short, unit: 'binary' }) },
		{ weight: 1, arbitrary: fc.constantFrom('x'.repeat(maxLength), '😀'.repeat(maxLength)) },
	);
}

function objects(schema: JsonObject): fc.Arbitrary<JsonObject> {
	const fields = Object.entries(getProperties(schema)).map(
		([name, property]) => [name, validValues(property, name)] as const,
	);
	const declared: fc.Arbitrary<JsonObject> = fc.record(Object.fromEntries(fields), {
		requiredKeys: getRequired(schema),
		noNullPrototype: true,
	});
	if (schema.additionalProperties !== true) return declared;
	const others = fc.dictionary(fc.string({ unit: 'binary', maxLength: 10 }), ANY_VALUE, {
		maxKeys: 3,
		noNullPrototype: true,
	});
	return fc.tuple(others, declared).map(([more, own]) => ({ ...more, ...own }));
}
