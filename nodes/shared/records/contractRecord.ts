import type { IDataObject } from 'n8n-workflow';

import { booleanIn } from '../fields/booleans';
import { toMap, toNumber } from '../values/conversions';
import { asList, fromJsonText, isRecord, saysNothing } from '../values/json';
import { emptyValue, type RecordShape } from './recordShape';
import { toTimestamp } from './timestamps';
import { withTranscriptText } from './transcript';

type Value = IDataObject[string];

/** The records in a field. */
function toContractRecords(value: Value, fields: RecordShape): Value {
	if (Array.isArray(value)) {
		return (value as Value[]).map((each) =>
			isRecord(each) ? toContractRecord(each, fields) : each,
		);
	}
	return isRecord(value) ? toContractRecord(value, fields) : value;
}

/** Some services send an empty list as an empty object. */
const toArray = (value: Value): Value =>
	isRecord(value) && Object.keys(value).length === 0 ? [] : (asList(value) ?? value);

/** Some services send a phone number as a number, and a word or a URL in an object: `{"value": "busy", "label": "Busy"}`, also in a list of one. */
function toText(value: Value): Value {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return value < 1_000_000 ? value : String(value);
	const [only, next] = asList(value) ?? [value];
	const words = isRecord(only) && next === undefined ? [only.value, only.name, only.url] : [];
	return words.find((word) => typeof word === 'string') ?? value;
}

function toContractValue(value: Value, shape: RecordShape[string]): Value {
	const { type, optional, nullable, fields } = shape;
	if (value === null) return optional ? null : emptyValue(shape);
	if (nullable && typeof value === 'string' && saysNothing(value)) return null;
	switch (type) {
		case 'id':
		case 'number':
			return toNumber(value);
		case 'boolean':
			return booleanIn(value) ?? value;
		case 'timestamp':
			return toTimestamp(value);
		case 'object':
		case 'array': {
			const content = fromJsonText(value) as Value;
			const known = type === 'object' ? toMap(content) : toArray(content);
			return fields ? toContractRecords(known, fields) : known;
		}
		default:
			return toText(value);
	}
}

/**
 * Gives the fields of a record the types of the contract, because services write some of them in another
 * form: numbers, IDs and booleans as text, booleans as 1 and 0, empty objects as lists or null, times in ISO 8601 or in seconds, and a
 * transcript as a list of turns. A value of yet another form stays as it is, and so do all other fields.
 *
 * @param record of a response; it is not changed
 * @param shape of the record in the contract
 * @returns the record itself when it has these types already, as those of most services have
 */
export function toContractRecord(record: IDataObject, shape: RecordShape): IDataObject {
	const sent = 'transcript' in shape ? withTranscriptText(record) : record;
	let typed = sent;
	for (const name in shape) {
		if (!Object.hasOwn(sent, name)) continue;
		const value = toContractValue(sent[name], shape[name] as RecordShape[string]);
		if (value === sent[name]) continue;
		// With thousands of records, a copy of each would take longer than the rest.
		if (typed === sent) typed = { ...sent };
		typed[name] = value;
	}
	return typed;
}
