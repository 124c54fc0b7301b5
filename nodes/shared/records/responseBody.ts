import type { IDataObject } from 'n8n-workflow';

import { isId } from '../values/ids';
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

const isField = (name: string, shape: RecordShape): boolean =>
	name === 'id' || Object.hasOwn(shape, name);

/** The `status` of a response, and not of a record, as JSON. */
const DONE = /^"?(ok|success|true|\d+)"?$/i;

/** How many fields of the record an object has, or the first one in a list. */
function countFields(value: unknown, shape: RecordShape): number {
	const [record] = asList(value) ?? [value];
	return isRecord(record) ? Object.keys(record).filter((name) => isField(name, shape)).length : 0;
}

/** The only object in an object that is no record, or the one with most fields of the record. */
function innerRecord(record: IDataObject, shape: RecordShape): unknown {
	const isOwn = ([name, value]: [string, unknown]) =>
		isField(name, shape) && !(name === 'status' && DONE.test(JSON.stringify(value)));
	if (Object.entries(record).some(isOwn)) return undefined;
	const [inner, next] = Object.values(record)
		.filter((value) => isRecord(value) || asList(value))
		.toSorted((one, other) => countFields(other, shape) - countFields(one, shape));
	const isSure = next === undefined || countFields(inner, shape) > countFields(next, shape);
	return isSure ? inner : undefined;
}

/** The record in a body that has no `data`: `{"message": "…", "lead": {…}}`. */
function bareRecord(body: IDataObject, shape: RecordShape): unknown {
	const inner = innerRecord(body, shape);
	return countFields(inner, shape) > 0 ? inner : undefined;
}

/** Whether a body is the record: it has its ID, or the ID of what the record is about and no other object. */
function isItself(body: IDataObject, shape: RecordShape): boolean {
	if (body.id !== undefined) return true;
	const isOfShape = ([name, value]: [string, unknown]) =>
		Object.hasOwn(shape, name) || typeof value !== 'object';
	const hasId = Object.keys(shape).some((name) => shape[name]?.type === 'id' && isId(body[name]));
	return hasId && Object.entries(body).every(isOfShape);
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

/** A record whose fields are in `attributes`, beside its ID, as JSON:API has them. */
function flatRecord(record: IDataObject, shape: RecordShape): IDataObject {
	const { attributes, ...others } = record;
	const isKnown = (name: string) => Object.hasOwn(shape, name);
	if (!isRecord(attributes) || isKnown('attributes')) return record;
	// There, `type` is the kind of record.
	delete others.type;
	const hasFields = Object.keys(others).some((name) => name !== 'id' && isKnown(name));
	return hasFields ? record : { ...others, ...attributes };
}

/** The record of a row. It can be an object in it, also beside others: `{"call": {…}, "assistant": {…}}`. */
function rowRecord(row: IDataObject, shape: RecordShape): IDataObject {
	const inner = innerRecord(row, shape);
	if (!isRecord(inner) || countFields(inner, shape) === 0) return flatRecord(row, shape);
	const others = Object.entries(row).filter(([, value]) => isRecord(value) && value !== inner);
	return { ...Object.fromEntries(others), ...inner };
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
		return {
			...envelope,
			data: rows.map((row) => (isRecord(row) ? toRecord(rowRecord(row, shape)) : row)),
		};
	}
	if (body.data === undefined && isItself(body, shape)) {
		return { data: toRecord(flatRecord(body, shape)) };
	}
	const record = recordIn(body.data === undefined ? bareRecord(body, shape) : body.data, shape);
	return record ? { ...body, data: toRecord(flatRecord(record, shape)) } : body;
}
