import type { IDataObject } from 'n8n-workflow';

/** What people look for first: n8n shows the columns of a table in this order, and only some fit. */
const FIRST = [
	'id',
	'outcome',
	'status',
	'type',
	'client_phone_number',
	'lead',
	'variables',
	'duration',
	'assistant_name',
];

/** They are long. */
const LAST = ['transcript', 'formatted_transcript', 'transcript_entries'];

/** The fields of a call in the order in which they are shown. @param call in the shape of `normaliseCall` */
export function inOrder(call: IDataObject): IDataObject {
	const { length: rest } = FIRST;
	const place = (name: string) => {
		const first = FIRST.indexOf(name);
		return first === -1 ? rest + 1 + LAST.indexOf(name) : first;
	};
	const entries = Object.entries(call);
	return Object.fromEntries(entries.sort(([a], [b]) => place(a) - place(b)));
}
