import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** A JSON object whose fields are not known beforehand. */
export type JsonObject = Record<string, unknown>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface Operation {
	readonly operationId: string;
	readonly method: string;
	/** The path as the contract writes it, for example `/user/leads/{id}`. */
	readonly path: string;
	readonly definition: JsonObject;
	/** JSON pointer to the operation inside the contract. */
	readonly pointer: string;
}

/** Tells a JSON object from everything else. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the value as an object @throws when it is not an object; the message says what it is */
export function asObject(value: unknown, what: string): JsonObject {
	if (!isObject(value)) throw new Error(`${what} is no object: ${JSON.stringify(value)}`);
	return value;
}

/** @returns the value as a list of objects @throws when it is not */
export function objectsOf(value: unknown): JsonObject[] {
	if (!Array.isArray(value) || !value.every(isObject)) {
		throw new Error(`no list of objects: ${JSON.stringify(value)}`);
	}
	return value;
}

const file = new URL('../../../contract/openapi.yaml', import.meta.url);
const contract = asObject(parse(readFileSync(file, 'utf8')), 'contract/openapi.yaml');

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(contract, 'contract');
const compiled = new Map<string, ValidateFunction>();

/** Every operation of contract/openapi.yaml. */
export const operations: readonly Operation[] = Object.entries(
	asObject(contract.paths, 'paths'),
).flatMap(([path, item]) =>
	Object.entries(asObject(item, path))
		.filter(([method]) => METHODS.some((known) => known === method))
		.map(([method, raw]) => {
			const definition = asObject(raw, `${method} ${path}`);
			return {
				operationId: String(definition.operationId),
				method: method.toUpperCase(),
				path,
				definition,
				pointer: `/paths/${escapePointer(path)}/${method}`,
			};
		}),
);

/** The operation with this operationId. @throws when the contract has none */
function operationById(operationId: string): Operation {
	const found = operations.find((operation) => operation.operationId === operationId);
	if (!found) throw new Error(`contract/openapi.yaml has no operation ${operationId}`);
	return found;
}

/** The operation of a method and a path (without query), if the contract has one. */
function operationOf(method: string, path: string): Operation | undefined {
	const parts = path.split('/');
	return operations.find(
		(operation) => operation.method === method && matches(operation.path.split('/'), parts),
	);
}

/** Follows `$ref` inside the contract. @returns the value and its JSON pointer */
export function resolve(value: unknown, pointer: string): { value: JsonObject; pointer: string } {
	const object = asObject(value, pointer);
	if (typeof object.$ref !== 'string') return { value: object, pointer };
	const target = object.$ref.replace(/^#/, '');
	return resolve(at(target), target);
}

/**
 * Compares a response with the contract.
 * @returns a message for each violation
 */
export function contractViolations(
	method: string,
	path: string,
	status: number,
	body: unknown,
): string[] {
	const operation = operationOf(method, path);
	const responses = operation && asObject(operation.definition.responses, 'responses');
	const declared = responses?.[String(status)];
	if (!operation || declared === undefined)
		return status >= 400 ? errorBodyViolations(body) : [`status ${status} is not declared`];
	const response = resolve(declared, `${operation.pointer}/responses/${status}`);
	const schema = asObject(
		asObject(response.value.content, 'content')['application/json'],
		'application/json',
	).schema;
	if (schema === undefined) return [`status ${status} has no schema`];
	return schemaViolations(`${response.pointer}/content/application~1json/schema`, body);
}

/**
 * Compares the body of a request with the contract.
 * @returns a message for each violation
 */
export function requestViolations(operationId: string, body: unknown): string[] {
	const { definition, pointer } = operationById(operationId);
	const request = resolve(definition.requestBody, `${pointer}/requestBody`);
	return schemaViolations(`${request.pointer}/content/application~1json/schema`, body);
}

/** Compares the body of a webhook (`postCall`, `inboundCall`) with the contract. */
export function webhookViolations(name: string, body: unknown): string[] {
	const request = resolve(
		at(`/webhooks/${name}/post/requestBody`),
		`/webhooks/${name}/post/requestBody`,
	);
	return schemaViolations(`${request.pointer}/content/application~1json/schema`, body);
}

/** A body that breaks the contract in one field, and the service's name of that field. */
interface WrongType {
	readonly field: string;
	readonly body: JsonObject;
}

/** Bodies with values of every wrong type, for each field of an operation's request body, at any depth. */
export function wrongTypes(operationId: string): WrongType[] {
	const operation = operationById(operationId);
	const body = resolve(operation.definition.requestBody, `${operation.pointer}/requestBody`);
	const content = asObject(asObject(body.value.content, 'content')['application/json'], 'JSON');
	return wrongFields(content.schema);
}

const ONE_OF_EACH_TYPE: Readonly<Record<string, unknown>> = {
	string: 'text',
	integer: 7,
	number: 1.5,
	boolean: true,
	object: {},
	array: [],
	null: null,
};

function wrongFields(schema: unknown): WrongType[] {
	return Object.entries(propertiesOf(schema)).flatMap(([name, property]) =>
		wrongValues(property).map(({ path, value }) => ({
			field: [name, ...path].join('.'),
			body: { [name]: value },
		})),
	);
}

/** Values that a schema refuses because of their type, and the path of the wrong value. */
function wrongValues(schema: unknown): { path: string[]; value: unknown }[] {
	const { value: resolved } = resolve(schema, 'schema');
	const allowed = [resolved.type].flat();
	const here = allowed.some((type) => type !== undefined)
		? Object.entries(ONE_OF_EACH_TYPE)
				.filter(
					([type]) =>
						!allowed.includes(type) && !(type === 'integer' && allowed.includes('number')),
				)
				.map(([, value]) => ({ path: [] as string[], value }))
		: [];
	const inItems = isObject(resolved.items)
		? wrongValues(resolved.items).map(({ path, value }) => ({
				path: ['0', ...path],
				value: [value],
			}))
		: [];
	const inFields = wrongFields(resolved).map(({ field, body }) => ({
		path: field.split('.'),
		value: body,
	}));
	return [...here, ...inItems, ...inFields];
}

/** The properties of a schema, also those of `allOf`. */
function propertiesOf(schema: unknown): JsonObject {
	const { value } = resolve(schema, 'schema');
	const composed = Array.isArray(value.allOf) ? value.allOf.map(propertiesOf) : [];
	const own = isObject(value.properties) ? value.properties : {};
	return composed.reduce<JsonObject>((all, some) => ({ ...all, ...some }), own);
}

// contract: Errors – "Error bodies are JSON with message (string). Validation errors (HTTP 422)
// also carry errors, an object mapping a field name to an array of message strings."
const ERROR_BODY = {
	type: 'object',
	required: ['message'],
	properties: {
		message: { type: 'string', minLength: 1 },
		errors: {
			type: 'object',
			minProperties: 1,
			additionalProperties: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
		},
	},
};
const isErrorBody = ajv.compile(ERROR_BODY);

/** Compares a body with the service's error shape. */
export function errorBodyViolations(body: unknown): string[] {
	return isErrorBody(body) ? [] : messagesOf(isErrorBody);
}

function schemaViolations(pointer: string, body: unknown): string[] {
	const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${encodeURI(pointer)}` });
	compiled.set(pointer, validate);
	return validate(body) ? [] : messagesOf(validate);
}

function messagesOf(validate: ValidateFunction): string[] {
	return (validate.errors ?? []).map((error) => `${error.instancePath || 'body'} ${error.message}`);
}

function at(pointer: string): unknown {
	return pointer
		.split('/')
		.slice(1)
		.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<unknown>((value, part) => asObject(value, pointer)[part], contract);
}

function escapePointer(part: string): string {
	return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function matches(template: readonly string[], parts: readonly string[]): boolean {
	return (
		template.length === parts.length &&
		template.every((part, index) =>
			part.startsWith('{') ? parts[index] !== '' : part === parts[index],
		)
	);
}
