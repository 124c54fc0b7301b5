import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { chosenValues } from '../shared/fields/values';
import { isRecord } from '../shared/values/json';

/** The fields that each choice leaves out (contract: Call record; public-service: Post-call webhook). */
const NAMES: Record<string, string[]> = {
	recording: ['recording_url'],
	transcript: ['formatted_transcript', 'transcript', 'transcript_entries'],
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
			description: "What the service sent, as the field 'raw'",
		},
		{
			name: 'Raw Body of Calls',
			value: 'rawBodyOfCalls',
			description:
				"The same where this node knows the form of the call: then the item has all its values. What it does not know has 'raw'.",
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
	// A second copy would double what n8n stores.
	default: ['rawBodyOfCalls'],
	description:
		"What does not go into the item, so that n8n does not store it in the execution. Transcript and recording are left out wherever they are, under the names that the service has for them. In what this node does not know, they can have other names: leave out 'Raw Body' too if n8n must not store them.",
};

/** Removes fields, however deep they are: a transfer has a transcript of its own. */
function omit(value: unknown, names: string[]): unknown {
	if (Array.isArray(value)) return value.map((each) => omit(each, names));
	if (!isRecord(value)) return value;
	const kept = Object.entries(value).filter(([name]) => !names.includes(name));
	return Object.fromEntries(kept.map(([name, each]) => [name, omit(each, names)]));
}

/**
 * Makes the item of a delivery without the parts that the user leaves out.
 *
 * @param call in the shape of `normaliseCall`
 * @param raw as the service sent it
 * @param isKnown whether `call` has all values of `raw`
 * @param leaveOut value of the field *Leave Out*
 */
export function toItem(
	call: IDataObject,
	raw: unknown,
	isKnown: boolean,
	leaveOut: unknown,
): IDataObject {
	const choices = chosenValues(leaveOut).map(String);
	const names = choices.flatMap((choice) => NAMES[choice] ?? []);
	const hasRaw = !choices.includes('rawBody') && !(isKnown && choices.includes('rawBodyOfCalls'));
	const item = hasRaw ? { ...call, raw: raw as IDataObject[string] } : call;
	return names.length === 0 ? item : (omit(item, names) as IDataObject);
}
