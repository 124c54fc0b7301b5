import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';

/** An entry of an evaluation: `{ name, type, value, description }`. */
const isEntry = (entry: unknown): entry is IDataObject & { name: string } =>
	isRecord(entry) && typeof entry.name === 'string' && Object.hasOwn(entry, 'value');

/**
 * Gives a call its evaluation as an object by name (contract: Call record). Where it is a list of entries
 * (public-service: call-evaluation; S1, S4b, S11), the list is kept as `evaluation_entries`.
 *
 * @param call a record of the list, or a delivery; it is not changed
 * @returns the call itself when its evaluation is no such list
 */
export function withEvaluationByName(call: IDataObject): IDataObject {
	const { evaluation: entries } = call;
	if (!Array.isArray(entries) || entries.length === 0 || !entries.every(isEntry)) return call;
	const values = entries.map(({ name, value }): [string, IDataObject[string]] => [name, value]);
	return { ...call, evaluation: Object.fromEntries(values), evaluation_entries: entries };
}
