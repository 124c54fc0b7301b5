import { isObject, resolve, type JsonObject } from '../sandbox/contract.mts';

/** A schema of the contract without `$ref` and `allOf`: what they add is in it. Its fields may have both. */
export function flatSchema(schema: unknown): JsonObject {
	const { value } = resolve(schema, 'schema');
	const parts = Array.isArray(value.allOf) ? value.allOf.map(flatSchema) : [];
	return [...parts, value].reduce<JsonObject>(
		(all, part) => ({
			...all,
			...part,
			properties: mergedProperties(all, part),
			required: [...new Set([...requiredOf(all), ...requiredOf(part)])],
		}),
		{},
	);
}

/** The fields of a schema, by name. */
export const propertiesOf = (schema: JsonObject): JsonObject =>
	isObject(schema.properties) ? schema.properties : {};

/** The names of the fields that a schema requires. */
export const requiredOf = (schema: JsonObject): string[] =>
	Array.isArray(schema.required) ? schema.required.map(String) : [];

/** The types that a schema names; none when it names no type. */
export const typesOf = (schema: JsonObject): string[] =>
	schema.type === undefined ? [] : [schema.type].flat().map(String);

/** A number of a schema, such as `maxLength`. */
export function limitOf(schema: JsonObject, name: string): number | undefined {
	const limit = schema[name];
	return typeof limit === 'number' ? limit : undefined;
}

/** A part may only add to a field, such as its default. */
function mergedProperties(one: JsonObject, other: JsonObject): JsonObject {
	const merged = { ...propertiesOf(one) };
	for (const [name, property] of Object.entries(propertiesOf(other))) {
		merged[name] = { ...(merged[name] ?? {}), ...(isObject(property) ? property : {}) };
	}
	return merged;
}
