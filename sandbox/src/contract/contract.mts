import { readFile } from 'node:fs/promises';

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';

import { ASSUMPTION_KEYS, readAssumptions, type Assumptions } from './assumptions.mts';
import { BadInput } from '../base/invalidInput.mts';

/** Where contract/openapi.yaml says a request goes; `id` is the raw `{id}` of the path. */
export type Route =
	| { found: true; operationId: string; id: string | undefined }
	| { found: false; status: 404 | 405 };

/** A request after the check: defaults filled in, numbers of the query read. */
export interface Checked {
	errors: ErrorObject[];
	body: unknown;
	query: unknown;
	/** The parameters of the operation that were given, as they were sent. */
	asked: { [name: string]: string };
}

/** contract/openapi.yaml at work: finds operations, checks what comes in and what goes out. */
export interface Contract {
	/** @param path relative to the base URL, without query */
	route(method: string, path: string): Route;
	/** Checks query and body. A path is for the handler to judge: it finds no record of a bad id. */
	checkRequest(operationId: string, query: { [name: string]: unknown }, body: unknown): Checked;
	/** How an answer breaks the contract, in words; undefined when it does not. */
	breachOfAnswer(operationId: string, status: number, body: unknown): string | undefined;
	/** How the body of a webhook breaks the contract, in words; undefined when it does not. */
	breachOfWebhook(event: string, body: unknown): string | undefined;
}

const readYaml = async (name: string): Promise<unknown> =>
	parse(await readFile(new URL(`../../../contract/${name}`, import.meta.url), 'utf8'));

let contract: Promise<Contract> | undefined;

/** The contract, read and compiled once per process. */
export function loadContract(): Promise<Contract> {
	contract ??= readYaml('openapi.yaml').then(compile);
	return contract;
}

let assumed: Promise<{ [key: string]: unknown }> | undefined;

/**
 * The values of contract/assumptions.yaml.
 * @param chosen values that replace them, by key
 * @throws {BadInput} in words, for an unknown key or an impossible value
 */
export async function loadAssumptions(chosen: { [key: string]: unknown }): Promise<Assumptions> {
	for (const key of Object.keys(chosen)) {
		if (ASSUMPTION_KEYS.includes(key)) continue;
		throw new BadInput(
			`There is no assumption "${key}" to change. There are: ${ASSUMPTION_KEYS.join(', ')}.`,
		);
	}
	assumed ??= readYaml('assumptions.yaml').then(valuesOf);
	return readAssumptions({ ...(await assumed), ...chosen });
}

function valuesOf(file: unknown): { [key: string]: unknown } {
	const entries = Object.entries(file ?? {}) as Array<[string, unknown]>;
	return Object.fromEntries(
		entries.map(([key, entry]) => [
			key,
			typeof entry === 'object' && entry !== null && 'value' in entry ? entry.value : undefined,
		]),
	);
}

const isOpenApi = (value: unknown): value is Document =>
	typeof value === 'object' && value !== null && 'openapi' in value && 'paths' in value;

const makeAjv = (options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 => {
	const ajv = new Ajv2020({ ...options, strict: false, allErrors: true, verbose: true });
	addFormats.default(ajv);
	// The usual check takes "http://" for a URL.
	ajv.addFormat('uri', (text) => URL.canParse(text) && !/\s/.test(text));
	return ajv;
};

async function compile(document: unknown): Promise<Contract> {
	if (!isOpenApi(document)) throw new Error('contract/openapi.yaml is no OpenAPI document.');
	const api = new OpenAPIBackend({
		definition: document,
		strict: true,
		// The library's own check of the document knows OpenAPI 3.0 only.
		quick: true,
		ignoreTrailingSlashes: false,
		coerceTypes: true,
		// JSON Schema as in OpenAPI 3.1. Defaults are filled into what comes in, not what goes out.
		customizeAjv: (_ajv, options, context) =>
			makeAjv({ ...options, useDefaults: context.startsWith('response') ? false : true }),
	});
	await api.init();
	const webhooks = makeAjv({ validateSchema: false }).addSchema(document, 'contract');

	return {
		route(method, path) {
			const request = { method, path, headers: {} };
			try {
				const operation = api.router.matchOperation(request, true);
				const parsed = api.router.parseRequest(request, operation);
				return { found: true, operationId: String(operation.operationId), id: idOf(parsed) };
			} catch (error) {
				const knownPath = error instanceof Error && error.message.startsWith('405');
				return { found: false, status: knownPath ? 405 : 404 };
			}
		},

		checkRequest(operationId, query, body) {
			const operation = api.router.getOperation(operationId);
			const known: { [name: string]: string } = {};
			const errors: ErrorObject[] = [];
			for (const parameter of operation?.parameters ?? []) {
				if ('$ref' in parameter || parameter.in !== 'query') continue;
				const value = query[parameter.name];
				if (value === undefined) continue;
				const isInteger = operandType(parameter.schema) === 'integer';
				// The library would read "1e3", "0x10" and " 5 " as numbers.
				const isReadable = typeof value === 'string' && (!isInteger || /^-?\d+$/.test(value));
				if (isReadable) known[parameter.name] = value;
				else errors.push(typeError(parameter.name, isInteger ? 'integer' : 'string'));
			}
			const request = {
				method: operation?.method ?? '',
				path: operation?.path ?? '',
				headers: {},
				query: known,
				body,
			};
			const result = api.validator.validateRequest(request, operationId);
			errors.push(
				...(result.errors ?? []).filter(({ instancePath }) => !instancePath.startsWith('/path')),
			);
			return { errors, body, query: result.coerced?.query, asked: known };
		},

		breachOfAnswer(operationId, status, body) {
			const operation = api.router.getOperation(operationId);
			if (!operation?.responses?.[status]) return `/ has the undeclared status ${status}`;
			const { errors } = api.validator.validateResponse(body, operationId, status);
			return errors ? inWords(errors) : undefined;
		},

		breachOfWebhook(event, body) {
			const pointer = `/webhooks/${event}/post/requestBody/content/application~1json/schema`;
			const matches = webhooks.validate({ $ref: `contract#${pointer}` }, body);
			return matches ? undefined : inWords(webhooks.errors ?? []);
		},
	};
}

const idOf = ({ params }: { params: unknown }): string | undefined =>
	typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : undefined;

const operandType = (schema: unknown): unknown =>
	typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined;

const typeError = (name: string, type: string): ErrorObject => ({
	keyword: 'type',
	instancePath: `/query/${name}`,
	schemaPath: '',
	params: { type },
});

const inWords = (errors: ErrorObject[]): string =>
	errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`).join('; ');
