import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { withTranscriptText } from '../../../../nodes/shared/records/transcript.ts';
import { forAny } from '../../../support/forAny.mts';

const TEXT = 'Assistant: Hello.\nCustomer: Hi.';

describe('a transcript', () => {
	it.each([
		[
			[
				{ role: 'assistant', content: 'Hello.' },
				{ role: 'user', content: 'Hi.' },
			],
		],
		[
			[
				{ sender: 'bot', text: 'Hello.', type: 'transcript', timestamp: 0 },
				{ sender: 'human', text: 'Hi.' },
			],
		],
		[
			[
				{ role: 'system', content: 'You are the assistant of a doctor.' },
				{ sender: 'system', text: 'The call begins.' },
				{ role: 'assistant', content: 'Hello.' },
				{ type: 'function', sender: 'bot', text: 'get_free_slots' },
				{ type: 'function_result', text: '[]' },
				{ type: 'event', text: 'silence' },
				{ role: 'user', content: 'Hi.' },
			],
		],
	])('is text where the service has turns, and the turns are kept: %j', (turns) => {
		const call = { id: 1, transcript: turns };
		expect(withTranscriptText(call)).toStrictEqual({
			id: 1,
			transcript: TEXT,
			transcript_entries: turns,
		});
		expect(call.transcript).toBe(turns);
	});

	it('names other speakers, and nobody for a turn without one', () => {
		const transcript = [
			{ role: 'Nurse', content: 'Hello.' },
			{ content: 'No name.' },
			{ role: 'user', content: '' },
		];
		expect(withTranscriptText({ transcript }).transcript).toBe(
			'Nurse: Hello.\nNo name.\nCustomer: ',
		);
	});

	it.each<unknown>([
		{},
		'Assistant: Hello.',
		{ role: 'user', utterance: 'Hi.' },
		{ speaker: 'Agent', message: 'Hello.' },
		{ role: 'assistant', content: null, tool_calls: [{ name: 'get_free_slots' }] },
		{ role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
	])('has a turn of another form as JSON: %j', (turn) => {
		const call = { transcript: [turn] } as IDataObject;
		expect(withTranscriptText(call).transcript).toBe(JSON.stringify(turn));
	});

	it('of a call without turns is empty', () => {
		expect(withTranscriptText({ transcript: [] })).toStrictEqual({
			transcript: '',
			transcript_entries: [],
		});
	});

	it('that is no list stays as it is, and converting a text again changes nothing', () =>
		forAny(fc.jsonValue(), (transcript) => {
			const call = { transcript } as IDataObject;
			const converted = withTranscriptText(call);
			if (Array.isArray(transcript)) expect(typeof converted.transcript).toBe('string');
			else expect(converted).toBe(call);
			expect(withTranscriptText(converted)).toBe(converted);
		}));
});
