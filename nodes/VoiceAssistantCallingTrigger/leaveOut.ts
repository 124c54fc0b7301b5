import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { chosenValues } from '../shared/fields/values';
import { fromJsonText } from '../shared/values/json';

/** What each choice leaves out: all fields with such a word in their names, such as `stereoRecordingUrl`. */
const NAMES: Record<string, RegExp> = {
	recording: /recording|audio/i,
	transcript: /transcript/i,
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
		'What does not go into the item, so that n8n does not store it in the execution. Transcript and recording are left out wherever they are in the delivery. A text that is no JSON is left out whole with them, because it could hold them.',
};

/** What lies deeper is left out, because it could hold what is to be left out. */
const MAX_DEPTH = 100;

/** Removes fields, however deep they are, also in texts that are JSON. */
function omit(value: unknown, names: RegExp[], depth = MAX_DEPTH): unknown {
	const content = fromJsonText(value);
	if (typeof content !== 'object' || content === null) return content;
	if (depth === 0) return undefined;
	if (Array.isArray(content)) return content.map((each) => omit(each, names, depth - 1));
	const kept = Object.entries(content).filter(
		([name]) => !names.some((pattern) => pattern.test(name)),
	);
	return Object.fromEntries(kept.map(([name, each]) => [name, omit(each, names, depth - 1)]));
}

/**
 * Makes the item of a call without the parts that the user leaves out.
 *
 * @param call in the shape of `normaliseCall`
 * @param raw as the service sent it
 * @param leaveOut value of the field *Leave Out*
 */
export function toItem(call: IDataObject, raw: unknown, leaveOut: unknown): IDataObject {
	const choices = chosenValues(leaveOut).map(String);
	const names = choices.flatMap((choice) => NAMES[choice] ?? []);
	const json: IDataObject = { ...call };
	if (!choices.includes('rawBody')) json.raw = raw as IDataObject[string];
	if (names.length === 0) return json;
	// A text that is no JSON could hold them.
	const isText = typeof fromJsonText(raw) === 'string';
	return omit(json, isText ? [...names, /^(?:body|raw)$/] : names) as IDataObject;
}
