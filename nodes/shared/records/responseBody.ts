import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../client/json';
import { toEnvelope } from './envelope';

/**
 * Makes what the nodes use from the body of a response: a page in the envelope of the contract, or a record.
 * A record can be the body itself. Only here does a response change its form.
 *
 * @param body of a successful response; it is not changed
 * @param toRecord makes a record as the nodes use it
 */
export function toContractBody(
	body: IDataObject,
	toRecord: (record: IDataObject) => IDataObject,
): IDataObject {
	const { data } = body;
	if (Array.isArray(data)) {
		const rows: unknown[] = data;
		const records = rows.map((row) => (isRecord(row) ? toRecord(row) : row));
		return { ...toEnvelope(body), data: records };
	}
	if (data === undefined && body.id !== undefined) return { data: toRecord(body) };
	const isEmpty = !isRecord(data) || Object.keys(data).length === 0;
	return isEmpty ? body : { ...body, data: toRecord(data) };
}
