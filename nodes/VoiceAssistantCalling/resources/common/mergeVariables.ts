import type { IDataObject } from 'n8n-workflow';

import { invalidField } from '../../../shared/client/errors';
import { findWithoutResult, WITHOUT_RESULT } from '../../../shared/fields/numbers';
import { isEmpty } from '../../../shared/fields/values';
import { asText, isRecord, recordsIn } from '../../../shared/values/json';
import { getBody, type PreSend } from '../../fields/routing';
import { parsedJson } from '../../fields/toWireTypes';

/** The service takes these two variables as texts only (contract: Lead), and a cell can be a number. */
const TEXTS = ['customer_name', 'email'];

/** A record without the value at a path, if it has one. */
function without(record: IDataObject, [name = '', ...inside]: string[]): IDataObject {
	const kept = Object.entries(record).filter(([key]) => key !== name || inside.length > 0);
	return Object.fromEntries(
		kept.map(([key, value]) => [
			key,
			key === name && isRecord(value) ? without(value, inside) : value,
		]),
	);
}

/**
 * The variables in the input item: each field with a value.
 *
 * @param leaveOut names of fields, separated by commas. A name with dots is a path, unless a field has it
 */
function itemVariables(input: unknown, leaveOut: unknown): IDataObject {
	const kept = asText(leaveOut)
		.split(',')
		.map((name) => name.trim())
		.reduce(
			(record, name) => without(record, Object.hasOwn(record, name) ? [name] : name.split('.')),
			isRecord(input) ? input : {},
		);
	const entries = Object.entries(kept)
		.filter(([, value]) => !isEmpty(value))
		.map(([name, value]): [string, unknown] =>
			TEXTS.includes(name) && typeof value === 'number' ? [name, String(value)] : [name, value],
		);
	return Object.fromEntries(entries) as IDataObject;
}

/**
 * Merges all variables into one object: the input item (`input`, without `leaveOut`), separate fields such
 * as *Email*, pairs (`variable`) and JSON (`json`). What the user entered replaces what the item has.
 *
 * @throws {InvalidInput} when a variable is a calculation without a result
 */
export function mergedVariables(variables: unknown): IDataObject {
	const { input, leaveOut, variable, json, ...named } = isRecord(variables) ? variables : {};
	// An expression with an empty cell must not overwrite a value. JSON can.
	const pairs = recordsIn(variable)
		.filter(({ value }) => !isEmpty(value))
		.map(({ name, value }): [string, unknown] => [asText(name), value]);
	const merged = {
		...itemVariables(input, leaveOut),
		...named,
		...Object.fromEntries(pairs),
		...parsedJson(json),
	} as IDataObject;
	const wrong = findWithoutResult(merged);
	if (wrong !== undefined) {
		throw invalidField(
			'Variables',
			`${WITHOUT_RESULT} in '${wrong}'`,
			'Correct the expression. Nothing was sent for this item.',
		);
	}
	return merged;
}

/** Writes what {@link mergedVariables} gives into the body of a request. */
export const mergeVariables: PreSend = (request) => {
	const { variables, ...body } = getBody(request);
	const merged = mergedVariables(variables);
	const sent = Object.keys(merged).length > 0 ? { ...body, variables: merged } : body;
	return Promise.resolve({ ...request, body: sent });
};
