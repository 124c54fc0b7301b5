import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { OpenAPIBackend, type Document } from 'openapi-backend';

import { asAssumed, CONTRACT_ASSUMPTIONS } from './asAssumed.mts';
import type { Assumptions } from './assumptions.mts';
import { readContractFile } from './readContractFile.mts';
import { refusalFor, UPDATE_LEAD, validationError } from './validationMessages.mts';

/** Which operation of contract/openapi.yaml a request is for; `id` is the raw `{id}` of the path. */
export type Route =
	| { found: true; operationId: string; id: string | undefined }
	| { found: false; status: 404 | 405 };

/** The sandbox made something that the contract does not allow: a defect of the sandbox. */
export class ContractViolation extends Error {}

/** contract/openapi.yaml at work: finds operations, checks requests, responses and webhooks. */
export type Contract = Awaited<ReturnType<typeof compile>>;

/** By the values of {@link CONTRACT_ASSUMPTIONS}. */
const contracts = new Map<string, Promise<Contract>>();

/** The contract, read and compiled once per process and what is assumed of it. */
export function loadContract(assumptions: Assumptions): Promise<Contract> {
	const key = JSON.stringify(CONTRACT_ASSUMPTIONS.map((name) => assumptions[name]));
	const contract =
		contracts.get(key) ??
		Promise.all(['openapi.yaml', 'newer.yaml'].map(readContractFile)).then(([document, newer]) =>
			compile(asAssumed(document, newer, assumptions)),
		);
	contracts.set(key, contract);
	return contract;
}

const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isOpenApi = (value: unknown): value is Document =>
	isObject(value) && 'openapi' in value && 'paths' in value;

const isUri = new Ajv2020({ formats: { uri: fullFormats.uri }, validateSchema: false }).compile({
	type: 'string',
	format: 'uri',
});

// ajv-formats accepts "http://", and URL accepts "http://example.com/%zz".
const isUrl = (text: string): boolean => URL.canParse(text) && isUri(text);

const makeAjv = (options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 => {
	const ajv = new Ajv2020({
		...options,
		strict: false,
		allErrors: true,
		verbose: true,
		// A test checks the contract. The library takes an Ajv for each schema, and each would compile JSON Schema.
		validateSchema: false,
	});
	addFormats.default(ajv);
	ajv.addFormat('uri', isUrl);
	ajv.addFormat('uri-with-placeholders', (text) => isUrl(text.replace(/\{\{? *\w+ *\}?\}/g, 'x')));
	return ajv;
};

async function compile(document: unknown) {
	if (!isOpenApi(document)) throw new Error('contract/openapi.yaml is not an OpenAPI document.');
	const api = new OpenAPIBackend({
		definition: document,
		strict: true,
		// The library's own check of the document knows OpenAPI 3.0 only.
		quick: true,
		ignoreTrailingSlashes: false,
		coerceTypes: true,
		// OpenAPI 3.1 uses JSON Schema. Defaults are filled into requests, not into responses.
		customizeAjv: (_ajv, options, context) =>
			makeAjv({ ...options, useDefaults: !context.startsWith('response') }),
	});
	await api.init();
	// openapi-backend collects the operations of the document again for every request.
	const all = api.router.getOperations();
	api.router.getOperations = () => all;
	const webhooks = makeAjv({}).addSchema(document, 'contract');

	return {
		/** @param path relative to the base URL, without query */
		route(method: string, path: string): Route {
			const request = { method, path, headers: {} };
			try {
				const operation = api.router.matchOperation(request, true);
				const parsed = api.router.parseRequest(request, operation);
				return { found: true, operationId: String(operation.operationId), id: readId(parsed) };
			} catch (error) {
				const knownPath = error instanceof Error && error.message.startsWith('405');
				return { found: false, status: knownPath ? 405 : 404 };
			}
		},

		takesBody: (operationId: string): boolean =>
			api.router.getOperation(operationId)?.requestBody !== undefined,

		/**
		 * Checks query and body. The path's id is not checked: the handler finds no record of a bad one.
		 *
		 * @param given the parsed body; undefined for a request without one; is not changed
		 * @param unknownFields what happens to fields of the body that the contract does not have
		 * @throws {ApiError} 422 in the words of the service
		 */
		validateRequest(
			operationId: string,
			query: { [name: string]: unknown },
			given: unknown,
			unknownFields: Assumptions['unknown-request-fields'] = 'refused',
			saysAllowed = false,
		) {
			// Ajv writes defaults into the value that it checks.
			const body = structuredClone(given);
			if (body !== undefined && !isObject(body)) {
				throw refusalFor(operationId, { body: ['The request body must be a JSON object.'] });
			}
			const operation = api.router.getOperation(operationId);
			const givenQuery: { [name: string]: string } = {};
			const errors: ErrorObject[] = [];
			for (const parameter of operation?.parameters ?? []) {
				if ('$ref' in parameter || parameter.in !== 'query') continue;
				const value = query[parameter.name];
				if (value === undefined) continue;
				const isInteger = declaredType(parameter.schema) === 'integer';
				// The library would read "1e3", "0x10" and " 5 " as numbers.
				const isReadable = typeof value === 'string' && (!isInteger || /^-?\d+$/.test(value));
				if (isReadable) givenQuery[parameter.name] = value;
				else errors.push(typeError(parameter.name, isInteger ? 'integer' : 'string'));
			}
			const { method = '', path = '' } = operation ?? {};
			const request = { method, path, headers: {}, query: givenQuery, body };
			const result = api.validator.validateRequest(request, operationId);
			for (const error of result.errors ?? []) {
				if (error.instancePath.startsWith('/path')) continue;
				// The contract itself refuses other fields of a lead update.
				const isIgnored = unknownFields === 'ignored' && !UPDATE_LEAD.has(operationId);
				const unknown = isIgnored ? unknownField(error) : undefined;
				if (unknown === undefined) errors.push(error);
				else removeAt(body, unknown);
			}
			if (errors.length > 0) throw validationError(operationId, errors, saysAllowed);
			// With defaults filled in, and numbers as numbers; and the query's parameters as they were sent.
			return { body, query: result.coerced?.query as unknown, givenQuery };
		},

		/** @throws {ContractViolation} */
		validateResponse(operationId: string, status: number, body: unknown): void {
			const operation = api.router.getOperation(operationId);
			if (!operation?.responses?.[status]) {
				throw new ContractViolation(`/ has the undeclared status ${status}`);
			}
			const { errors } = api.validator.validateResponse(body, operationId, status);
			if (errors) throw new ContractViolation(joinErrors(errors));
		},

		/** @returns how the body of a webhook violates the contract; undefined when it does not */
		webhookViolation(event: string, body: unknown): string | undefined {
			const pointer = `/webhooks/${event}/post/requestBody/content/application~1json/schema`;
			const matches = webhooks.validate({ $ref: `contract#${pointer}` }, body);
			return matches ? undefined : joinErrors(webhooks.errors ?? []);
		},
	};
}

/** The path of the field that an error calls unknown, below the body; undefined for another error. */
function unknownField({ instancePath, params }: ErrorObject): string[] | undefined {
	const name: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
	if (typeof name !== 'string') return undefined;
	return [...instancePath.split('/').slice(2), name];
}

function removeAt(value: unknown, [name = '', ...inside]: string[]): void {
	if (typeof value !== 'object' || value === null) return;
	if (inside.length === 0) Reflect.deleteProperty(value, name);
	else removeAt(Reflect.get(value, name), inside);
}

const readId = ({ params }: { params: unknown }): string | undefined =>
	isObject(params) && 'id' in params ? String(params.id) : undefined;

const declaredType = (schema: unknown): unknown =>
	isObject(schema) && 'type' in schema ? schema.type : undefined;

const typeError = (name: string, type: string): ErrorObject => ({
	keyword: 'type',
	instancePath: `/query/${name}`,
	schemaPath: '',
	params: { type },
});

const joinErrors = (errors: ErrorObject[]): string =>
	errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`).join('; ');
