import type { IDataObject } from 'n8n-workflow';

import { invalidField } from '../client/errors';
import { isEmpty } from '../fields/values';
import { isRecord } from '../values/json';

const wrong = (label: string, problem: string) =>
	invalidField(label, problem, 'Give each variable a text, a number, or true or false.');

/**
 * Makes the variables of a call that the service asks for before it answers: a flat JSON object of texts
 * (public-service: Inbound webhook). Numbers and switches become texts, and what is empty is no variable.
 *
 * @param label of the field, for the message
 * @throws {InvalidInput} that names a variable that is a list or an object
 */
export function toCallVariables(label: string, variables: unknown): IDataObject {
	if (!isRecord(variables)) throw wrong(label, 'must be a JSON object');
	const entries = Object.entries(variables).filter(([, value]) => !isEmpty(value));
	const nested = entries.find(([, value]) => typeof value === 'object');
	if (nested) throw wrong(label, `has a list or an object in '${nested[0]}'`);
	return Object.fromEntries(
		entries.map(([name, value]) => [name, String(value as string | number | boolean)]),
	);
}
