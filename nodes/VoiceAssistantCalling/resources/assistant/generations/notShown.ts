import type { IDataObject } from 'n8n-workflow';

import { isRecord, recordsIn } from '../../../../shared/values/json';
import { namesThatDiffer, newerNames, renamed } from './newerNames';

/** A record can have numbers as texts, 1 and 0 for yes and no, and 0 for null (contract: Assistant record). */
const inOneForm = (value: unknown) =>
	JSON.stringify(isRecord(value) || Array.isArray(value) ? value : Number(value) || value || 0);

const isSame = (one: unknown, other: unknown) => inOneForm(one) === inOneForm(other);

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
 * shows as null, is not known. Records have the newer names in both generations (contract: Assistant record).
 *
 * @param entered the body in the names of the form
 * @param sent the body of the request
 * @returns their names in the form
 */
export function notShown(entered: IDataObject, sent: IDataObject, record: IDataObject): string[] {
	const expected = { ...renamed(entered), ...sent };
	const isMissing = (name: string) => {
		const [wanted, shown] = [expected[name], record[name]];
		if (wanted === undefined || shown === undefined || shown === null) return false;
		return name === 'tools' ? !hasTools(shown, wanted) : !isSame(wanted, shown);
	};
	return namesThatDiffer(entered).filter((name) =>
		[...newerNames(name), ...(name === 'end_call_tool' ? ['tools'] : [])].some(isMissing),
	);
}
