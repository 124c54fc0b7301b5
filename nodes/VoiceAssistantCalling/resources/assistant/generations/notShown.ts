import type { IDataObject } from 'n8n-workflow';

import { isRecord, recordsIn } from '../../../../shared/values/json';
import { namesThatDiffer, newerNames, renamed } from './newerNames';

/** Records have numbers as texts, and 1 and 0 for yes and no (contract: Assistant record). */
const inOneForm = (value: unknown): unknown => {
	if (typeof value === 'boolean') return Number(value);
	return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
};

const isSame = (one: unknown, other: unknown) =>
	JSON.stringify(inOneForm(one)) === JSON.stringify(inOneForm(other));

/** Whether a record has each of these built-in tools with its fields, and may have more. */
const hasTools = (shown: unknown, sent: unknown) =>
	recordsIn(sent).every(({ type, ...fields }) =>
		recordsIn(shown).some(
			({ type: shownType, data }) =>
				shownType === type &&
				Object.entries(fields).every(
					([name, value]) => isRecord(data) && isSame(data[name], value),
				),
		),
	);

/**
 * The fields of an update whose values the assistant's record does not show. What the record does not have, or
 * shows as null, is not known.
 *
 * @param entered the body in the names of the form
 * @param sent the body of the request. What it has no name for is not compared
 * @returns their names in the form
 */
export function notShown(entered: IDataObject, sent: IDataObject, record: IDataObject): string[] {
	// Records have the newer names in both generations (contract: Assistant record).
	const expected = { ...renamed(entered), ...sent };
	return namesThatDiffer(entered).filter((name) => {
		if (name === 'tools' || name === 'end_call_tool') {
			return Array.isArray(sent.tools) && !hasTools(record.tools, sent.tools);
		}
		return newerNames(name).some((at) => {
			const [wanted, shown] = [expected[at], record[at]];
			if (wanted === undefined || shown === undefined || shown === null) return false;
			// A number that is off can be 0 or null.
			return !isSame(wanted ?? 0, shown);
		});
	});
}
