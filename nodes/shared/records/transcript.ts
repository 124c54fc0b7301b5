import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';

/** Who speaks, in `sender` (S1, S9) or `role` (conversation-ended webhook; S1, S2, S9). */
const SPEAKERS = new Map([
	['bot', 'Assistant'],
	['assistant', 'Assistant'],
	['human', 'Customer'],
	['user', 'Customer'],
]);

/** The turns of a live call that are no speech (public-service: Call record; S9). */
const NO_SPEECH = new Set(['function', 'function_result', 'event', 'system']);

/** One turn as a line; undefined for one that is no speech. A turn of another form is JSON, so nothing is lost. */
function toLine(turn: unknown): string | undefined {
	if (!isRecord(turn)) return JSON.stringify(turn);
	const speaker = asText(turn.sender ?? turn.role);
	if (NO_SPEECH.has(asText(turn.type)) || NO_SPEECH.has(speaker)) return undefined;
	const text = turn.text ?? turn.content;
	if (typeof text !== 'string') return JSON.stringify(turn);
	const name = SPEAKERS.get(speaker) ?? speaker;
	return name === '' ? text : `${name}: ${text}`;
}

/**
 * Gives a call its transcript as text (contract: Call record). Where it is a list of turns (public-service:
 * transcript-form; S1, S4, S9), the list is kept as `transcript_entries`.
 *
 * @param call a record of the list, or a delivery; it is not changed
 * @returns the call itself when its transcript is no list
 */
export function withTranscriptText(call: IDataObject): IDataObject {
	const { transcript: turns } = call;
	if (!Array.isArray(turns)) return call;
	const lines = (turns as unknown[]).map(toLine).filter((line) => line !== undefined);
	return { ...call, transcript: lines.join('\n'), transcript_entries: turns };
}
