import type { IDataObject } from 'n8n-workflow';

import { asText, fromJsonText, isRecord } from '../values/json';

type Value = IDataObject[string];

/** How a transcript in text names who speaks, by the words that services have for them. */
const SPEAKERS = new Map([
	...['agent', 'ai', 'assistant', 'bot', 'model'].map((word) => [word, 'Assistant'] as const),
	...['caller', 'client', 'customer', 'human', 'lead', 'user'].map(
		(word) => [word, 'Customer'] as const,
	),
	// What a tool gave has no name in front: nobody says it.
	...['function', 'tool'].map((word) => [word, ''] as const),
]);

const TEXT_FIELDS = ['content', 'text', 'message'];

/** What a value says: a text, or a list of parts such as `{ type: 'text', text: 'Hi' }`. */
function spokenText(value: Value): string | undefined {
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	if (Array.isArray(value)) {
		const texts = (value as Value[]).map(spokenText);
		return texts.includes(undefined) ? undefined : texts.join(' ');
	}
	if (!isRecord(value)) return undefined;
	const texts = TEXT_FIELDS.map((name) => spokenText(value[name]));
	return texts.find((text) => text) ?? texts.find((text) => text !== undefined);
}

/** One turn of a conversation as a line. Where the turn has no known text, it is JSON, so nothing is lost. */
function toLine(turn: Value): string {
	if (turn === null) return '';
	if (!isRecord(turn)) return spokenText(turn) ?? JSON.stringify(turn);
	const speaker =
		['role', 'sender', 'speaker'].map((name) => asText(turn[name])).find(Boolean) ?? '';
	// The prompt is no part of the conversation.
	if (speaker.toLowerCase() === 'system' || Object.keys(turn).length === 0) return '';
	const text = spokenText(turn);
	if (text === undefined) return JSON.stringify(turn);
	const name = SPEAKERS.get(speaker.toLowerCase()) ?? speaker;
	return name === '' ? text : `${name}: ${text}`;
}

/** The turns in a transcript: a list, or an object with one list in it. */
function turnsIn(transcript: Value): Value[] | undefined {
	if (Array.isArray(transcript)) return transcript as Value[];
	const lists = isRecord(transcript) ? Object.values(transcript).filter(Array.isArray) : [];
	return lists.length === 1 ? (lists[0] as Value[]) : undefined;
}

/**
 * Gives a call its transcript as text, whatever form the service gives it. Where it is a list of turns, the
 * list is kept as `transcript_entries`.
 *
 * @param call a record of the list, or a delivery; it is not changed
 * @returns the call itself when its transcript is a text, or missing
 */
export function withTranscriptText(call: IDataObject): IDataObject {
	const { transcript, transcript_entries: entries } = call;
	if (transcript === undefined) return call;
	// A line of a turn without a known text is JSON too.
	const turns = turnsIn(entries ? transcript : (fromJsonText(transcript) as Value));
	if (turns) {
		const lines = turns.map(toLine).filter((line) => line !== '');
		return { ...call, transcript: lines.join('\n'), transcript_entries: turns };
	}
	if (typeof transcript === 'string') return call;
	return { ...call, transcript: transcript === null ? '' : JSON.stringify(transcript) };
}
