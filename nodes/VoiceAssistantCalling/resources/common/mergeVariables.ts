import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord, recordsIn } from '../../../shared/client/json';
import { bodyOf, type PreSend } from '../../fields/routing';
import { isEmpty, parsedJson } from '../../fields/toWireTypes';

/** The service takes these two variables as texts only (contract: Lead), and a cell can be a number. */
const TEXTS = ['customer_name', 'email'];

/**
 * The variables in the input item: each field with a value.
 *
 * @param leaveOut names of fields, separated by commas
 */
function itemVariables(input: unknown, leaveOut: unknown): IDataObject {
	const leftOut = asText(leaveOut)
		.split(',')
		.map((name) => name.trim());
	const entries = Object.entries(isRecord(input) ? input : {})
		.filter(([name, value]) => !leftOut.includes(name.trim()) && !isEmpty(value))
		.map(([name, value]): [string, unknown] =>
			TEXTS.includes(name) && typeof value === 'number' ? [name, String(value)] : [name, value],
		);
	return Object.fromEntries(entries) as IDataObject;
}

/**
 * Merges all variables into one object: the input item (`input`, without `leaveOut`), separate fields such
 * as *Email*, pairs (`variable`) and JSON (`json`). What the user entered replaces what the item has.
 */
export const mergeVariables: PreSend = (request) => {
	const { variables, ...body } = bodyOf(request);
	const { input, leaveOut, variable, json, ...named } = isRecord(variables) ? variables : {};
	const pairs = recordsIn(variable).map(({ name, value }): [string, unknown] => [
		asText(name),
		value,
	]);
	const merged = {
		...itemVariables(input, leaveOut),
		...named,
		...Object.fromEntries(pairs),
		...parsedJson(json),
	} as IDataObject;
	const sent = Object.keys(merged).length > 0 ? { ...body, variables: merged } : body;
	return Promise.resolve({ ...request, body: sent });
};
