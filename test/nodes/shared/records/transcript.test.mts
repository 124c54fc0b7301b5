import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withTranscriptText } from '../../../../nodes/shared/records/transcript.ts';
import { forAny } from '../../../support/forAny.mts';

const TEXT = 'Assistant: Hello.\nCustomer: Hi.';

describe('a transcript', () => {
	it.each([
		[
			[
				{ role: 'assistant', content: 'Hello.' },
				{ role: 'customer', content: 'Hi.' },
			],
		],
		[
			[
				{ sender: 'bot', text: 'Hello.', timestamp: 0 },
				{ sender: 'human', text: 'Hi.' },
			],
		],
		[
			[
				{ speaker: 'Agent', message: 'Hello.' },
				{ speaker: 'USER', message: 'Hi.' },
			],
		],
		[
			[
				{ role: 'system', content: 'You are the assistant of a doctor.' },
				{ role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
				{ role: 'customer', content: { text: 'Hi.' } },
			],
		],
		[['Assistant: Hello.', 'Customer: Hi.']],
	])('is text where the service has turns, and the turns are kept: %j', (turns) => {
		const call = { id: 1, transcript: turns };
		expect(withTranscriptText(call)).toStrictEqual({
			id: 1,
			transcript: TEXT,
			transcript_entries: turns,
		});
		expect(call.transcript).toBe(turns);
		const asText = { id: 1, transcript: JSON.stringify(turns) };
		expect(withTranscriptText(asText)).toStrictEqual(withTranscriptText(call));
	});

	it('names other speakers, and nobody for what a tool returns', () => {
		const transcript = [
			{ role: 'tool', content: '[looks up slots]' },
			{ role: 'Nurse', content: 'Hello.' },
			{ content: 'No name.' },
			{ role: 'customer', content: '' },
			{},
		];
		expect(withTranscriptText({ transcript }).transcript).toBe(
			'[looks up slots]\nNurse: Hello.\nNo name.\nCustomer: ',
		);
	});

	it('is in lines where one list of an object has the turns, and otherwise JSON', () => {
		const turns = ['Assistant: Hello.', 'Customer: Hi.'];
		expect(withTranscriptText({ transcript: { language: 'en', turns } })).toStrictEqual({
			transcript: TEXT,
			transcript_entries: turns,
		});
		const two = { turns, words: [] };
		expect(withTranscriptText({ transcript: two })).toStrictEqual({
			transcript: JSON.stringify(two),
		});
	});

	it.each([
		[{ role: 'customer', utterance: 'Hi.' }],
		[{ role: 'assistant', content: null, tool_calls: [{ name: 'get_free_slots' }] }],
		[{ role: 'assistant', content: [{ type: 'image' }] }],
	])('has a turn without a known text as JSON: %j', (turn) => {
		expect(withTranscriptText({ transcript: [turn] }).transcript).toBe(JSON.stringify(turn));
	});

	it.each([
		[[], { transcript: '', transcript_entries: [] }],
		[null, { transcript: '' }],
		[{ url: 'x' }, { transcript: '{"url":"x"}' }],
	])('%j is a text too', (transcript, call) => {
		expect(withTranscriptText({ transcript })).toStrictEqual(call);
	});

	it.each([{ transcript: TEXT }, { transcript: '' }, {}])('stays as it is in %j', (call) => {
		expect(withTranscriptText(call)).toBe(call);
	});

	it('is a text whatever the service sends, and converting it again changes nothing', () =>
		forAny(fc.jsonValue(), (transcript) => {
			const call = withTranscriptText({ transcript });
			expect(typeof call.transcript).toBe('string');
			expect(withTranscriptText(call)).toBe(call);
		}));
});
