import type { IDataObject } from 'n8n-workflow';

import { asList, isRecord } from '../values/json';

/** What a response has, and how the nodes use its records. */
interface Expected {
	isList: boolean;
	/** Whether the body itself is the record, unless it has one in `data`. */
	isBare?: boolean;
	/** Makes a record as the nodes use it. */
	toRecord: (record: IDataObject) => IDataObject;
}

/**
 * The fields that can have the records of a list: `data`, or the name of their kind (public-service: list
 * leads, list campaigns, list assistants; S1, S4b).
 */
export const LISTS = ['data', 'assistants', 'campaigns', 'leads'];

/** The list in the body of a response; undefined when there is none. `parseResponse` puts a bare list into `data`. */
const listIn = (body: IDataObject): unknown[] | undefined =>
	LISTS.map((name) => asList(body[name])).find((list) => list !== undefined);

/**
 * Gives the records in the body of a response the form in which the nodes use them. They are in `data`, and
 * those of a list also under the name of their kind.
 *
 * @param body of a successful response; it is not changed. One with neither a list nor a record stays as it is
 */
export function toContractBody(
	body: IDataObject,
	{ isList, isBare = false, toRecord }: Expected,
): IDataObject {
	if (!isList) {
		if (isRecord(body.data)) return { ...body, data: toRecord(body.data) };
		return isBare ? toRecord(body) : body;
	}
	const rows = listIn(body);
	if (!rows) return body;
	return {
		...body,
		data: rows.map((row) => (isRecord(row) ? toRecord(row) : row)),
	};
}
