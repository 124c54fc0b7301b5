import type { IDataObject } from 'n8n-workflow';

import { flagToBoolean, toMap, toNumber } from '../values/conversions';
import { isRecord } from '../values/json';
import { withEvaluationByName } from './evaluation';
import type { RecordShape } from './fieldShape';
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

function toContractValue(value: Value, { type, fields }: RecordShape[string]): Value {
	switch (type) {
		// IDs and costs can be texts (public-service: number-form; S1).
		case 'id':
		case 'number':
			return toNumber(value);
		// Some flags are 1 and 0 (contract: Assistant record).
		case 'boolean':
			return flagToBoolean(value);
		case 'timestamp':
			return toTimestamp(value);
		case 'object':
		case 'array': {
			const content = type === 'object' ? toMap(value) : value;
			return fields ? toContractRecords(content, fields) : content;
		}
		default:
			return value;
	}
}

/**
 * Gives the fields of a record the types of the contract, where a document shows another form of them: texts
 * for IDs and costs, 1 and 0 for booleans, an empty list for an empty object, times in ISO 8601, a transcript
 * as turns, and an evaluation as a list (public-service: Table 1). A value of yet another form stays as it
 * is, and so do all other fields.
 *
 * @param record of a response; it is not changed
 * @param shape of the record in the contract
 * @returns the record itself when it has these types already, as those of most services have
 */
export function toContractRecord(record: IDataObject, shape: RecordShape): IDataObject {
	const sent = 'transcript' in shape ? withEvaluationByName(withTranscriptText(record)) : record;
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
