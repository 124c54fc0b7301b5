import { isObject, resolve, type JsonObject } from './contract.mts';

/** A schema of the contract without `$ref` and `allOf`: what they add is in it. Its fields may have both. */
export function flatSchema(schema: unknown): JsonObject {
	const { value } = resolve(schema, 'schema');
	const parts = Array.isArray(value.allOf) ? value.allOf.map(flatSchema) : [];
	return [...parts, value].reduce<JsonObject>(
		(all, part) => ({
			...all,
			...part,
			properties: mergedProperties(all, part),
			required: [...new Set([...getRequired(all), ...getRequired(part)])],
		}),
		{},
	);
}

/** The fields of a schema, by name. */
export const getProperties = (schema: JsonObject): JsonObject =>
	isObject(schema.properties) ? schema.properties : {};

/** The names of the fields that a schema requires. */
export const getRequired = (schema: JsonObject): string[] =>
	Array.isArray(schema.required) ? schema.required.map(String) : [];

/** The types that a schema names; none when it names no type. */
export const getTypes = (schema: JsonObject): string[] =>
	schema.type === undefined ? [] : [schema.type].flat().map(String);

/** A number of a schema, such as `maxLength`. */
export function getLimit(schema: JsonObject, name: string): number | undefined {
	const limit = schema[name];
	return typeof limit === 'number' ? limit : undefined;
}

/** A part may only add to a field, such as its default. */
function mergedProperties(one: JsonObject, other: JsonObject): JsonObject {
	const merged = { ...getProperties(one) };
	for (const [name, property] of Object.entries(getProperties(other))) {
		merged[name] = { ...(merged[name] ?? {}), ...(isObject(property) ? property : {}) };
	}
	return merged;
}
