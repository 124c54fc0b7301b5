import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../client/json';

type Value = IDataObject[string];

/** How a transcript in text names who speaks, by the words that services have for them. */
const SPEAKERS = new Map([
	...['agent', 'ai', 'assistant', 'bot', 'model'].map((word) => [word, 'Assistant'] as const),
	...['caller', 'client', 'customer', 'human', 'lead', 'user'].map(
		(word) => [word, 'Customer'] as const,
	),
	// Nobody says these.
	...['function', 'system', 'tool'].map((word) => [word, ''] as const),
]);

const firstText = (turn: IDataObject, names: string[]): string =>
	names.map((name) => asText(turn[name])).find((text) => text !== '') ?? '';

/** One turn of a conversation as a line. */
function toLine(turn: Value): string {
	if (!isRecord(turn)) return asText(turn);
	const text = firstText(turn, ['content', 'text', 'message']);
	const speaker = firstText(turn, ['role', 'sender', 'speaker']);
	const name = SPEAKERS.get(speaker.toLowerCase()) ?? speaker;
	return name === '' ? text : `${name}: ${text}`;
}

/**
 * Gives a call its transcript as text, whatever form the service gives it. Where it is a list of turns, the
 * list is kept as `transcript_entries`.
 *
 * @param call a record of the list, or a delivery; it is not changed
 * @returns the call itself when its transcript is a text, or missing
 */
export function withTranscriptText(call: IDataObject): IDataObject {
	const { transcript } = call;
	if (transcript === undefined || typeof transcript === 'string') return call;
	if (Array.isArray(transcript)) {
		const lines = (transcript as Value[]).map(toLine).filter((line) => line !== '');
		return { ...call, transcript: lines.join('\n'), transcript_entries: transcript };
	}
	return { ...call, transcript: transcript === null ? '' : JSON.stringify(transcript) };
}
