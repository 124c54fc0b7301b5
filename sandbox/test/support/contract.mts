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
export function getObjects(value: unknown): JsonObject[] {
	if (!Array.isArray(value) || !value.every(isObject)) {
		throw new Error(`no list of objects: ${JSON.stringify(value)}`);
	}
	return value;
}

const file = new URL('../../../contract/openapi.yaml', import.meta.url);
const contract = asObject(parse(readFileSync(file, 'utf8')), 'contract/openapi.yaml');

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
// Any text: tests of tools look at their URLs themselves.
ajv.addFormat('uri-with-placeholders', true);
ajv.addSchema(contract, 'contract');

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
export function operationAt(method: string, path: string): Operation | undefined {
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
	const operation = operationAt(method, path);
	const responses = operation && asObject(operation.definition.responses, 'responses');
	if (!operation || responses?.[String(status)] === undefined)
		return status >= 400 ? errorBodyViolations(body) : [`status ${status} is not declared`];
	return violations(bodyValidator(`${operation.pointer}/responses/${status}`), body);
}

const requestValidator = (operationId: string): ValidateFunction =>
	bodyValidator(`${operationById(operationId).pointer}/requestBody`);

/**
 * Compares the body of a request with the contract.
 * @returns a message for each violation
 */
export const requestViolations = (operationId: string, body: unknown): string[] =>
	violations(requestValidator(operationId), body);

/** Compares the body of a webhook (`postCall`, `inboundCall`) with the contract. */
export const webhookViolations = (name: string, body: unknown): string[] =>
	violations(bodyValidator(`/webhooks/${name}/post/requestBody`), body);

/** The fields of a request's body that break the contract, as the service names them. */
export function wrongFields(operationId: string, body: unknown): string[] {
	const validate = requestValidator(operationId);
	if (validate(body)) return [];
	const fields = (validate.errors ?? []).map(({ instancePath, params }) => {
		const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
		const path = instancePath.split('/').slice(1);
		return [...path, missingProperty ?? additionalProperty ?? []].flat().join('.');
	});
	return [...new Set(fields)].filter((field) => field !== '');
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
export const errorBodyViolations = (body: unknown): string[] => violations(isErrorBody, body);

function violations(validate: ValidateFunction, body: unknown): string[] {
	if (validate(body)) return [];
	return (validate.errors ?? []).map((error) => `${error.instancePath || 'body'} ${error.message}`);
}

/** Checks the body of a request or a response, which is at this place of the contract. */
function bodyValidator(place: string): ValidateFunction {
	const { pointer } = resolve(at(place), place);
	const schema = `contract#${encodeURI(`${pointer}/content/application~1json/schema`)}`;
	const validate = ajv.getSchema(schema);
	if (!validate) throw new Error(`contract/openapi.yaml has no JSON at ${pointer}`);
	return validate;
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
