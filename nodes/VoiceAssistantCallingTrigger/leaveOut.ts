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
		"What does not go into the item, so that n8n does not store it in the execution. Transcript and recording are left out of the call, of its transfers, and of 'raw'. In what this node does not know, they can have other names: leave out 'Raw Body' too if n8n must not store them.",
};

/** Removes fields of a call, and of its transfers. */
function omit(call: IDataObject, names: string[]): IDataObject {
	const kept = Object.entries(call).filter(([name]) => !names.includes(name));
	const { transfers, ...others } = Object.fromEntries(kept);
	if (!Array.isArray(transfers)) return Object.fromEntries(kept);
	const without = (transfers as unknown[]).map((each) =>
		isRecord(each) ? omit(each, names) : each,
	);
	return { ...others, transfers: without as IDataObject[] };
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
	const shown = isRecord(raw) ? omit(raw, names) : raw;
	return { ...omit(call, names), ...(hasRaw && { raw: shown as IDataObject[string] }) };
}
