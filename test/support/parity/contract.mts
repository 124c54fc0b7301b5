import { bundleFromString, createConfig } from '@redocly/openapi-core';

/** A JSON Schema as the contract uses it. */
export interface Schema {
	type?: string | string[];
	enum?: unknown[];
	default?: unknown;
	pattern?: string;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	additionalProperties?: boolean;
	allOf?: Schema[];
}

interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	schema: Schema;
}

interface Operation {
	operationId: string;
	parameters?: Parameter[];
	requestBody?: { content: { 'application/json': { schema: Schema } } };
}

interface PathItem extends Partial<Record<'get' | 'post' | 'put', Operation>> {
	parameters?: Parameter[];
}

/** The OpenAPI document with every `$ref` followed. */
export interface Contract {
	paths: Record<string, PathItem>;
}

/** Something that a request can carry, and what the contract says about it. */
export interface Place {
	/** Where it stands: `body.secondary_contacts[].phone_number`, `query.status`, `path.id`. */
	name: string;
	types: string[];
	/** Inside the object or the list that it belongs to. */
	required: boolean;
	schema: Schema;
}

/** A request of the service: all that can be written with it. */
export interface ServiceOperation {
	operationId: string;
	method: string;
	/** With `{}` for each parameter: `/user/leads/{}`. */
	path: string;
	places: Place[];
}

/** What stands for any key in the name of a place: `body.variables.*`. */
export const ANY_KEY = '*';

/**
 * Follows every `$ref` of an OpenAPI document.
 *
 * @param source its text, YAML or JSON
 */
export async function readContract(source: string): Promise<Contract> {
	const config = await createConfig({});
	const { bundle } = await bundleFromString({ source, config, dereference: true });
	return bundle.parsed as Contract;
}

/** A schema and those it is composed of (`allOf`), as one. */
function flat(schema: Schema): Schema {
	const parts = [...(schema.allOf ?? []).map(flat), schema];
	const properties: Record<string, Schema> = {};
	for (const [name, property] of parts.flatMap((part) => Object.entries(part.properties ?? {}))) {
		properties[name] = { ...properties[name], ...property };
	}
	return {
		...Object.assign({}, ...parts),
		properties,
		required: parts.flatMap(({ required = [] }) => required),
	} as Schema;
}

/** The values inside a schema; objects and lists themselves are none, an object with free keys is. */
function placesOf(name: string, schema: Schema, required: boolean): Place[] {
	const { properties = {}, required: names = [], items, ...own } = flat(schema);
	const inside = [
		...Object.entries(properties).flatMap(([key, property]) =>
			placesOf(`${name}.${key}`, property, names.includes(key)),
		),
		...(items ? placesOf(`${name}[]`, items, true) : []),
		...(own.additionalProperties === true
			? [{ name: `${name}.${ANY_KEY}`, types: [], required: false, schema: {} }]
			: []),
	];
	if (inside.length > 0) return inside;
	return [{ name, types: [own.type ?? []].flat(), required, schema: own }];
}

/** Every operation of the contract with everything that its request can carry. */
export const serviceOperations = ({ paths }: Contract): ServiceOperation[] =>
	Object.entries(paths).flatMap(([path, { parameters: shared = [], ...item }]) =>
		(['get', 'post', 'put'] as const).flatMap((method) => {
			const operation = item[method];
			if (operation === undefined) return [];
			const parameters = [...shared, ...(operation.parameters ?? [])];
			const body = operation.requestBody?.content['application/json'].schema;
			return [
				{
					operationId: operation.operationId,
					method: method.toUpperCase(),
					path: path.replace(/\{\w+\}/g, '{}'),
					places: [
						...parameters.flatMap(({ name, in: where, required = false, schema }) =>
							placesOf(`${where}.${name}`, schema, required),
						),
						...(body ? placesOf('body', body, true) : []),
					],
				},
			];
		}),
	);

/**
 * The values inside a value that a request carries, each with the name of its place; an empty list
 * stands where its entries would.
 */
export function valuesIn(value: unknown, place: string): Array<[place: string, value: unknown]> {
	if (value === undefined) return [];
	if (Array.isArray(value)) {
		if (value.length === 0) return [[`${place}[]`, value]];
		return value.flatMap((entry) => valuesIn(entry, `${place}[]`));
	}
	if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
		return Object.entries(value).flatMap(([key, inside]) => valuesIn(inside, `${place}.${key}`));
	}
	return [[place, value]];
}

/** The places of an operation that a request leaves empty, by name. */
export function emptyPlaces(
	operation: ServiceOperation,
	request: Record<string, unknown>,
): string[] {
	const names = operation.places.map(({ name }) => name);
	const filled = Object.entries(request)
		.flatMap(([where, value]) => valuesIn(value, where))
		.map(([name]) => name);
	const isFilled = (name: string) => {
		if (!name.endsWith(ANY_KEY)) return filled.includes(name);
		return filled.some((each) => each.startsWith(name.slice(0, -1)) && !names.includes(each));
	};
	return names.filter((name) => !isFilled(name));
}
