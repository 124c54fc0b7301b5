import fc from 'fast-check';
import {
	asObject,
	getObjects,
	operations,
	requestViolations,
	resolve,
	type JsonObject,
	type Operation,
} from '../support/contract.mts';
import { bodyContent } from '../support/examples.mts';
import { flatSchema, getProperties } from '../support/schema.mts';
import { ALICE } from '../support/seed.mts';
import { requestText, type FuzzRequest, type RequestKind } from './fuzzRequest.mts';
import { twists } from './hostile.mts';
import { getKind, KnownRecords, recordIds } from './recordId.mts';
import { validValues } from './validValues.mts';
import { oneWrongValue, WRONG_IDS, wrongValues } from './wrongValues.mts';

/** Requests to every operation of the contract: valid ones, ones with one thing wrong, and hostile ones. */
export const fuzzRequests = (): fc.Arbitrary<FuzzRequest> =>
	fc.oneof(...operations.map(requestsTo));

function requestsTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
	const { valid, almostValid } = bodyContent(operation)
		? getBodies(operation)
		: getQueries(operation);
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

function getBodies(operation: Operation): Requests {
	const schema = bodyContent(operation)?.schema;
	const flat = flatSchema(schema);
	const headers = { authorization: `Bearer ${ALICE}`, 'content-type': 'application/json' };
	const fields = Object.keys(getProperties(flat));
	const bodies = validValues({ ...flat, additionalProperties: false });
	const valid = fc
		.tuple(bodies, idsFor(operation))
		.map(([body, id]): FuzzRequest => ({ ...empty(operation), id, headers, body, fields }))
		.filter(
			(request) =>
				requestViolations(operation.operationId, JSON.parse(requestText(request) ?? '')).length ===
				0,
		);
	const almostValid = fc
		.tuple(valid, oneWrongValue(schema))
		.map(([one, change]) => ({ ...one, body: change(asObject(one.body, 'body')) }));
	return { valid, almostValid };
}

function getQueries(operation: Operation): Requests {
	const parameters = getObjects(operation.definition.parameters ?? [])
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
	const requests = (values: fc.Arbitrary<JsonObject>): fc.Arbitrary<FuzzRequest> =>
		fc.tuple(values, idsFor(operation)).map(([query, id]) => ({
			...empty(operation),
			id,
			headers,
			query: queryText(query),
		}));
	const valid = valuesBy(validValues);
	// Without parameters, only the ID can be wrong.
	if (parameters.length === 0) {
		const almostValid = fc
			.tuple(requests(valid), fc.constantFrom(...WRONG_IDS))
			.map(([request, id]) => ({ ...request, id }));
		return { valid: requests(valid), almostValid };
	}
	const wrong = valuesBy(wrongValues).filter((values) => Object.keys(values).length > 0);
	const almostValid = fc.tuple(valid, wrong, fc.nat()).map(([values, others, index]) => {
		const names = Object.keys(others);
		const name = names[index % names.length] ?? '';
		return { ...values, [name]: others[name] };
	});
	return { valid: requests(valid), almostValid: requests(almostValid) };
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

const idsFor = ({ path, definition }: Operation): fc.Arbitrary<string> =>
	path.includes('{id}') ? recordIds(getKind(definition)) : fc.constant('');

const SEEDED = new KnownRecords();

function queryText(values: JsonObject): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(values)) {
		if (value === undefined || value === null) continue;
		search.set(name, SEEDED.fillIn(typeof value === 'string' ? value : JSON.stringify(value)));
	}
	return search.toString();
}
