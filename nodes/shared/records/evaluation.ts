import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';

/** An entry of an evaluation: `{ name, type, value, description }`. */
const isEntry = (entry: unknown): entry is { name: string; value: IDataObject[string] } =>
	isRecord(entry) && typeof entry.name === 'string' && Object.hasOwn(entry, 'value');

/**
 * Gives a call its evaluation as an object by name (contract: Call record). Where it is a list of entries
 * (public-service: call-evaluation; S1, S4b, S11), the list is kept as `evaluation_entries`.
 *
 * @param call a record of the list, or a delivery; it is not changed
 * @returns the call itself when its evaluation is no such list
 */
export function withEvaluationByName(call: IDataObject): IDataObject {
	if (!Array.isArray(call.evaluation) || call.evaluation.length === 0) return call;
	const entries: unknown[] = call.evaluation;
	if (!entries.every(isEntry)) return call;
	const evaluation = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
	return { ...call, evaluation, evaluation_entries: entries };
}
