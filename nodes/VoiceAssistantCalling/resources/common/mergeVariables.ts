import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord, recordsIn } from '../../../shared/client/json';
import { bodyOf, type PreSend } from '../../fields/routing';
import { parsedJson } from '../../fields/toWireTypes';

/**
 * Merges all variables into one object: separate fields such as *Email*, pairs (`variable`) and JSON
 * (`json`).
 */
export const mergeVariables: PreSend = (request) => {
	const { variables, ...body } = bodyOf(request);
	const { variable, json, ...named } = isRecord(variables) ? variables : {};
	const pairs = recordsIn(variable).map(({ name, value }): [string, unknown] => [
		asText(name),
		value,
	]);
	const merged = { ...named, ...Object.fromEntries(pairs), ...parsedJson(json) } as IDataObject;
	const sent = Object.keys(merged).length > 0 ? { ...body, variables: merged } : body;
	return Promise.resolve({ ...request, body: sent });
};
