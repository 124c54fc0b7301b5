import fc from 'fast-check';
import {
	asObject,
	isObject,
	objectsOf,
	operations,
	requestViolations,
	resolve,
	type JsonObject,
	type Operation,
} from '../sandbox/contract.mts';
import { ALICE } from '../sandbox/seed.mts';
import type { FuzzRequest, RequestKind } from './fuzzRequest.mts';
import { twists } from './hostile.mts';
import { RecordId, recordIds, type Kind } from './recordId.mts';
import { flatSchema, propertiesOf } from './schema.mts';
import { validValues } from './validValues.mts';
import { oneWrongValue, wrongValues } from './wrongValues.mts';

/** Which records the `{id}` of a path is of. */
const KIND_BY_PATH: readonly (readonly [start: string, kind: Kind])[] = [
	['/user/assistant/', 'assistant'],
	['/user/leads/', 'lead'],
	['/user/tools/', 'tool'],
];

/** Requests to every operation of the contract: valid ones, ones with one thing wrong, and hostile ones. */
export const fuzzRequests = (): fc.Arbitrary<FuzzRequest> =>
	fc.oneof(...operations.map(requestsTo));

function requestsTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
	const { valid, almostValid } =
		operation.method === 'GET' ? queriesOf(operation) : bodiesOf(operation);
	const hostile = fc
		.tuple(valid, fc.array(twists, { minLength: 1, maxLength: 3 }))
		.map(([request, all]) => all.reduce((twisted, twist) => twist(twisted), request))
		// A server that could not read the headers does not know that it must not send a body.
		.filter(({ method, headers }) => method !== 'HEAD' || !('x-long' in headers));
	return fc.oneof(
		{ weight: 4, arbitrary: valid },
		{ weight: 3, arbitrary: almostValid.map(ofKind('almost valid')) },
		{ weight: 3, arbitrary: hostile.map(ofKind('hostile')) },
	);
}

const ofKind =
	(kind: RequestKind) =>
	(request: FuzzRequest): FuzzRequest => ({ ...request, kind });

interface Requests {
	valid: fc.Arbitrary<FuzzRequest>;
	almostValid: fc.Arbitrary<FuzzRequest>;
}

function bodiesOf(operation: Operation): Requests {
	const request = resolve(operation.definition.requestBody, `${operation.pointer}/requestBody`);
	const { schema } = asObject(asObject(request.value.content, 'content')['application/json'], '');
	const flat = flatSchema(schema);
	const headers = { authorization: `Bearer ${ALICE}`, 'content-type': 'application/json' };
	const fields = Object.keys(propertiesOf(flat));
	const valid = fc
		.tuple(
			validValues({ ...flat, additionalProperties: false }).filter((body) =>
				isValid(operation, body),
			),
			idsFor(operation),
		)
		.map(([body, id]): FuzzRequest => ({
			...empty(operation),
			id,
			headers,
			body,
			fields,
		}));
	const almostValid = fc
		.tuple(valid, oneWrongValue(schema))
		.map(([one, change]) => ({ ...one, body: change(asObject(one.body, 'body')) }));
	return { valid, almostValid };
}

function queriesOf(operation: Operation): Requests {
	const parameters = objectsOf(operation.definition.parameters)
		.map((parameter) => resolve(parameter, 'parameter').value)
		.filter((parameter) => parameter.in === 'query');
	const valuesBy = (values: (schema: JsonObject, name: string) => fc.Arbitrary<unknown>) =>
		fc.record(
			Object.fromEntries(
				parameters.map(({ name, schema }) => [
					String(name),
					values(flatSchema(schema), String(name)),
				]),
			),
			{ requiredKeys: [], noNullPrototype: true },
		);
	const headers = { authorization: `Bearer ${ALICE}` };
	const toRequest = (values: JsonObject): FuzzRequest => ({
		...empty(operation),
		headers,
		query: queryText(values),
	});
	const valid = valuesBy(validValues);
	const wrong = valuesBy(wrongValues).filter((values) => Object.keys(values).length > 0);
	return {
		valid: valid.map(toRequest),
		almostValid: fc.tuple(valid, wrong, fc.nat()).map(([values, others, index]) => {
			const names = Object.keys(others);
			const name = names[index % names.length] ?? '';
			return toRequest({ ...values, [name]: others[name] });
		}),
	};
}

const empty = (operation: Operation): FuzzRequest => ({
	kind: 'valid',
	operation,
	method: operation.method,
	path: operation.path,
	id: '',
	query: '',
	headers: {},
	body: undefined,
	fields: [],
});

function idsFor({ path }: Operation): fc.Arbitrary<RecordId | string> {
	const [, kind] = KIND_BY_PATH.find(([start]) => path === `${start}{id}`) ?? [];
	if (kind) return recordIds(kind);
	if (path.includes('{id}')) throw new Error(`Nobody knows the records of ${path}.`);
	return fc.constant('');
}

/** Ids of records are not known before the request is sent, and valid then. */
const isValid = ({ operationId }: Operation, body: unknown): boolean =>
	requestViolations(operationId, withNumbers(body)).length === 0;

function withNumbers(value: unknown): unknown {
	if (value instanceof RecordId) return 1;
	if (Array.isArray(value)) return value.map(withNumbers);
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withNumbers(item)]));
}

function queryText(values: JsonObject): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(values)) {
		if (value === undefined || value === null) continue;
		const known = value instanceof RecordId ? 1 : value;
		search.set(name, typeof known === 'string' ? known : JSON.stringify(known));
	}
	return search.toString();
}
