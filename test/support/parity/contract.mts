import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFromString, createConfig } from '@redocly/openapi-core';
import { parse, stringify } from 'yaml';
import { contractPaths } from '../../../scripts/generate/openapi.mts';
import { asAssumed } from '../../../sandbox/src/contract/asAssumed.mts';
import { loadAssumptions } from '../../../sandbox/src/contract/assumptions.mts';
import { root } from '../package.mts';

/** A JSON Schema as the contract uses it. */
export interface Schema {
	type?: string | string[];
	enum?: unknown[];
	examples?: unknown[];
	default?: unknown;
	pattern?: string;
	format?: string;
	/** Keys in contract/assumptions.yaml. */
	'x-assumed'?: string | string[];
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

/** The OpenAPI document with every `$ref` followed. */
interface Contract {
	paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
}

/** A value that a request can have, and its rules in the contract. */
export interface RequestValue {
	/** Its path: `body.secondary_contacts[].phone_number`, `query.status`, `path.id`. */
	name: string;
	types: string[];
	/** Of the operation that has it. */
	operationId?: string;
	/** Required in the object or the list entry that holds it. */
	required: boolean;
	schema: Schema;
}

/** An operation of the service, and every value that its request can have. */
export interface ServiceOperation {
	operationId: string;
	method: string;
	/** With `{}` for each parameter: `/user/leads/{}`. */
	path: string;
	requestValues: RequestValue[];
}

/** Represents any key in the name of a value: `body.variables.*`. */
export const ANY_KEY = '*';

/** Merges a schema with the schemas of its `allOf`. */
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

/** The values inside a schema: not objects and lists themselves, except objects with free keys. */
function getRequestValues(name: string, schema: Schema, required: boolean): RequestValue[] {
	const { properties = {}, required: names = [], items, ...own } = flat(schema);
	const inside = Object.entries(properties).flatMap(([key, property]) =>
		getRequestValues(`${name}.${key}`, property, names.includes(key)),
	);
	if (items) inside.push(...getRequestValues(`${name}[]`, items, true));
	if (own.additionalProperties === true)
		inside.push({ name: `${name}.${ANY_KEY}`, types: [], required: false, schema: {} });
	return inside.length > 0
		? inside
		: [{ name, types: [own.type ?? []].flat(), required, schema: own }];
}

/** Every operation of a contract, and every value that its request can have. */
async function operationsIn(source: string): Promise<ServiceOperation[]> {
	const config = await createConfig({});
	const { bundle } = await bundleFromString({ source, config, dereference: true });
	return Object.entries(contractPaths((bundle.parsed as Contract).paths)).flatMap(
		([path, { parameters: shared = [], ...item }]) =>
			Object.entries(item).map(
				([method, { operationId, parameters = [], requestBody }]): ServiceOperation => {
					const body = requestBody?.content['application/json'].schema;
					const inPathOrQuery = [...shared, ...parameters].flatMap(
						({ name, in: where, required = false, schema }) =>
							getRequestValues(`${where}.${name}`, schema, required),
					);
					const inBody = body ? getRequestValues('body', body, true) : [];
					return {
						operationId,
						method: method.toUpperCase(),
						path: path.replace(/\{\w+\}/g, '{}'),
						requestValues: [...inPathOrQuery, ...inBody],
					};
				},
			),
	);
}

const read = (name: string) => readFileSync(join(root, 'contract', name), 'utf8');

/** Those of contract/openapi.yaml. */
export const contractOperations = await operationsIn(read('openapi.yaml'));

/** Those of contract/openapi.yaml with the assistants of contract/newer.yaml. */
export const newerOperations = await operationsIn(
	stringify(
		asAssumed(parse(read('openapi.yaml')), parse(read('newer.yaml')), {
			...(await loadAssumptions({ 'assistant-fields': 'newer' })),
		}),
	),
);

/**
 * The values inside a value of a request, each with its path. An empty list counts as a value.
 */
export function valuesIn(value: unknown, path: string): Array<[path: string, value: unknown]> {
	if (value === undefined) return [];
	if (Array.isArray(value)) {
		if (value.length === 0) return [[`${path}[]`, value]];
		return value.flatMap((entry) => valuesIn(entry, `${path}[]`));
	}
	if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
		return Object.entries(value).flatMap(([key, inside]) => valuesIn(inside, `${path}.${key}`));
	}
	return [[path, value]];
}

/** The names of the values that a request of an operation does not have. */
export function missingValues(
	operation: ServiceOperation,
	request: Record<string, unknown>,
): string[] {
	const names = operation.requestValues.map(({ name }) => name);
	const filled = Object.entries(request)
		.flatMap(([where, value]) => valuesIn(value, where))
		.map(([name]) => name);
	const isFilled = (name: string) => {
		if (!name.endsWith(ANY_KEY)) return filled.includes(name);
		return filled.some((each) => each.startsWith(name.slice(0, -1)) && !names.includes(each));
	};
	return names.filter((name) => !isFilled(name));
}
