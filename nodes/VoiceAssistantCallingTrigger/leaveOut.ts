import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { WRAPPERS } from '../shared/calls/deliveredCall';
import { isRecord } from '../shared/client/json';
import { chosenValues } from '../shared/fields/values';

/** The fields of a delivery that each choice leaves out. `raw` is the delivery as it came. */
const FIELDS: Record<string, string[]> = {
	rawBody: ['raw'],
	recording: ['recording_url'],
	transcript: ['transcript', 'transcript_entries', 'formatted_transcript'],
};

/** The field *Leave Out* of the trigger. */
export const leaveOutField: INodeProperties = {
	displayName: 'Leave Out',
	name: 'leaveOut',
	type: 'multiOptions',
	options: [
		{
			name: 'Raw Body',
			value: 'rawBody',
			description: "What the service sent, with its own names, as the field 'raw'",
		},
		{
			name: 'Recording',
			value: 'recording',
			description: 'The URL of the recording',
		},
		{
			name: 'Transcript',
			value: 'transcript',
			description: 'What was said in the call',
		},
	],
	// The item has all values of the raw body, which would double what n8n stores.
	default: ['rawBody'],
	description:
		'What does not go into the item, so that n8n does not store it in the execution. A delivery that is a list or a text is left out whole with the transcript or the recording, because it could hold them.',
};

/** Removes fields of a record, and of the call in it: whether a field has the call can be doubtful. */
function omitFields(record: unknown, names: string[]): unknown {
	if (!isRecord(record)) return record;
	const kept = Object.entries(record).filter(([name]) => !names.includes(name));
	return Object.fromEntries(
		kept.map(([name, value]) => [name, WRAPPERS.includes(name) ? omitFields(value, names) : value]),
	);
}

/**
 * Makes the item of a call without the parts that the user leaves out. The raw body has none of them
 * either. A body that is not an object has no fields to remove, so with transcript or recording nothing
 * of it stays.
 *
 * @param call in the shape of `normaliseCall`
 * @param body of the delivery
 * @param leaveOut value of the field *Leave Out*
 */
export function toItem(call: IDataObject, body: unknown, leaveOut: unknown): IDataObject {
	const names = chosenValues(leaveOut).flatMap((choice) => FIELDS[String(choice)] ?? []);
	if (!isRecord(body) && names.some((name) => name !== 'raw')) names.push('body', 'raw');
	const raw = omitFields(body, names) as IDataObject[string];
	return omitFields({ ...call, raw }, names) as IDataObject;
}
