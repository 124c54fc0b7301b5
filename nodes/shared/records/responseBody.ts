import type { IDataObject } from 'n8n-workflow';

import { asList, isRecord } from '../values/json';
import { toEnvelope } from './envelope';
import type { RecordShape } from './recordShape';

/** What a response has, and how the nodes use its records. */
interface Expected {
	isList: boolean;
	/** The record in the contract; undefined when it is not known. */
	shape?: RecordShape;
	/** Makes a record as the nodes use it. */
	toRecord: (record: IDataObject) => IDataObject;
}

/** How deep a record is in a response, at most. */
const MAX_LEVELS = 3;

/** The only object in an object that has no ID and no other field of the record. */
function innerRecord(record: IDataObject, shape: RecordShape): unknown {
	const names = Object.keys(record);
	if (names.some((name) => name === 'id' || Object.hasOwn(shape, name))) return undefined;
	const [inner, ...others] = Object.values(record).filter(
		(value) => isRecord(value) || asList(value),
	);
	return others.length === 0 ? inner : undefined;
}

/** The record in a body that has no `data`: `{"message": "…", "lead": {…}}`. */
function bareRecord(body: IDataObject, shape: RecordShape): unknown {
	const inner = innerRecord(body, shape);
	const [record] = asList(inner) ?? [inner];
	const isKnown = (name: string) => name === 'id' || Object.hasOwn(shape, name);
	return isRecord(record) && Object.keys(record).some(isKnown) ? inner : undefined;
}

/** The record of a response. It can be a list of one, and in another object: `{"data": {"lead": {…}}}`. */
function recordIn(data: unknown, shape: RecordShape): IDataObject | undefined {
	let found = data;
	for (let level = 0; level < MAX_LEVELS; level++) {
		const list = asList(found);
		if (list) found = list.length === 1 ? list[0] : undefined;
		if (!isRecord(found)) return undefined;
		const inner = innerRecord(found, shape);
		if (!inner) break;
		found = inner;
	}
	return isRecord(found) && Object.keys(found).length > 0 ? found : undefined;
}

/**
 * Makes what the nodes use from the body of a response: a page in the envelope of the contract, or a record.
 * A record can be the body itself. Only here does a response change its form.
 *
 * @param body of a successful response; it is not changed. One with neither a page nor a record stays as it is
 */
export function toContractBody(
	body: IDataObject,
	{ isList, shape = {}, toRecord }: Expected,
): IDataObject {
	if (isList) {
		const envelope = toEnvelope(body);
		if (!Array.isArray(envelope.data)) return body;
		const rows: unknown[] = envelope.data;
		return { ...envelope, data: rows.map((row) => (isRecord(row) ? toRecord(row) : row)) };
	}
	if (body.data === undefined && body.id !== undefined) return { data: toRecord(body) };
	const record = recordIn(body.data === undefined ? bareRecord(body, shape) : body.data, shape);
	return record ? { ...body, data: toRecord(record) } : body;
}
