import { describe, expect, it } from '@jest/globals';
import { A_CALL, LEAD_PHONE_NUMBER, startCall } from '../support/calls.mts';
import { getData } from '../support/client.mts';
import { addLead, ask, firstRow } from '../support/providers.mts';
import { newAssistant, newTool } from '../support/seed.mts';
import type { Service } from '../support/service.mts';
import { startOwnService } from '../support/testService.mts';

const SMS = { from: 1, to: '+4915112345699', body: 'Hi' };
const ASSISTANTS = '/user/assistants/get';
const CALLS = '/user/calls';
const LEAD: unknown = expect.objectContaining({ campaign_id: 1, status: 'created' });

/** What a provider says of the same records. */
const records = async (own: Service) => {
	await startCall(own, { lead_id: 1 });
	await own.control.advance(A_CALL);
	return {
		assistant: await firstRow(own, ASSISTANTS),
		call: await firstRow(own, CALLS),
		lead: getData(await addLead(own, { secondary_contacts: [{ phone_number: '+4915112345698' }] })),
		sms: getData(await ask(own, 'POST', '/user/sms', SMS)),
		tool: getData(await ask(own, 'POST', '/user/tools', { ...newTool, name: 'other' })),
	};
};

it('id-form texts: every ID is a text, and other numbers stay numbers', async () => {
	await using own = await startOwnService({ assume: { 'id-form': 'texts' } });
	expect(await records(own)).toMatchObject({
		assistant: { id: '1', phone_number_id: '1', fillers: 0, tools: [{ id: '1', timeout: 10 }] },
		lead: { campaign_id: '1', secondary_contacts: [{ id: '103' }] },
		sms: { id: '1', user_id: '1', segments: 1 },
	});
});

it('in other forms: words, labels, phone numbers, files, JSON in texts', async () => {
	await using own = await startOwnService({
		assume: {
			...{ 'boolean-form': 'words', 'word-form': 'labelled', 'phone-number-form': 'numbers' },
			...{ 'recording-form': 'list', 'object-form': 'texts', 'null-form': 'words' },
		},
	});
	expect(await records(own)).toMatchObject({
		assistant: {
			...{ is_webhook_active: 'no', ambient_sound: 'N/A', variables: '{}' },
			...{ type: { value: 'outbound', label: 'Outbound' }, tools: [{ headers: '[]' }] },
		},
		call: {
			answered_by: { value: 'human', label: 'Human' },
			client_phone_number: Number(LEAD_PHONE_NUMBER),
			recording_url: [{ url: expect.stringMatching(/^http/), type: 'audio/wav' }],
		},
		lead: { status: { value: 'created' }, variables: '{}' },
	});
});

it.each([
	['rails', '2026-03-02 09:00:00 UTC'],
	['mail', 'Mon, 02 Mar 2026 09:00:00 +0000'],
	['unix-fraction', 1_772_442_000.25],
])('timestamp-form %s: %j', async (form, time) => {
	await using own = await startOwnService({ assume: { 'timestamp-form': form } });
	expect(await records(own)).toMatchObject({ call: { created_at: time } });
});

it.each([
	[
		'attributes',
		{ message: expect.any(String), data: { type: 'lead', id: 102, attributes: LEAD } },
	],
	['beside', { message: expect.any(String), lead: LEAD }],
	['bare', LEAD],
])('record-form %s', async (form, body) => {
	await using own = await startOwnService({ assume: { 'record-form': form } });
	const response = await addLead(own);
	expect(response.body).toEqual(body);
});

it.each([
	['named', { call: { status: 'initiated' } }],
	['attributes', { type: 'call', id: 1, attributes: { status: 'initiated' } }],
])('row-form %s', async (form, row) => {
	await using own = await startOwnService({ assume: { 'row-form': form } });
	await startCall(own);
	expect(await firstRow(own, CALLS)).toMatchObject(row);
});

it.each([
	['arrays', []],
	['nulls', null],
])('empty-objects %s: an object without fields is %j', async (form, empty) => {
	await using own = await startOwnService({ assume: { 'empty-objects': form } });
	expect(await records(own)).toMatchObject({
		assistant: { variables: empty, widget_settings: empty, filler_config: { neutral: [] } },
		call: { variables: empty, evaluation: { score: expect.any(Number) }, webhook_response: empty },
		lead: { variables: empty, secondary_contacts: [{ variables: empty }] },
	});
});

it('extra-fields and missing-fields: by the kind of record, also inside of others', async () => {
	await using own = await startOwnService({
		assume: {
			'extra-fields': {
				assistant: { team_id: 7, name: 'never seen' },
				call: { sentiment: { score: 1 } },
				lead: { tags: [] },
				sms: { parts: 1 },
				tool: { kind: 'http' },
				campaign: { color: 'red' },
			},
			'missing-fields': {
				assistant: ['uuid', 'filler_config'],
				call: ['evaluation'],
				lead: ['variables'],
				tool: ['timeout'],
			},
		},
	});
	const { assistant, call, lead, sms, tool } = await records(own);
	expect(assistant).toMatchObject({ team_id: 7, name: 'Caller', tools: [{ kind: 'http' }] });
	expect(call).toMatchObject({ sentiment: { score: 1 } });
	expect(lead).toMatchObject({
		tags: [],
		campaign: { id: 1, name: 'Spring', color: 'red' },
		secondary_contacts: [{ tags: [] }],
	});
	expect(sms).toMatchObject({ parts: 1 });
	expect(tool).toMatchObject({ kind: 'http' });
	for (const [record, field] of [
		[assistant, 'uuid'],
		[assistant, 'filler_config'],
		[assistant.tools, '0.timeout'],
		[call, 'evaluation'],
		[lead, 'variables'],
		[lead.secondary_contacts, '0.variables'],
		[tool, 'timeout'],
	] as const) {
		expect(record).not.toHaveProperty(field);
	}
});

describe('a call', () => {
	it('call-status-names: in the filter, where the old name is unknown', async () => {
		const names = { completed: 'finished', busy: 'completed' };
		await using own = await startOwnService({ assume: { 'call-status-names': names } });
		await startCall(own);
		await own.control.advance(A_CALL);
		const filtered = async (status: string) =>
			(await ask(own, 'GET', `${CALLS}?status=${status}`)).body;
		expect(await filtered('finished')).toMatchObject({ data: [{ status: 'finished' }] });
		// Here it is the name of `busy`.
		expect(await filtered('completed')).toMatchObject({ data: [] });
		expect(await filtered('busy')).toMatchObject({
			errors: { status: ['The selected status is invalid.'] },
		});
	});

	it('transcript-form turns: who said what, and what a tool answered', async () => {
		await using own = await startOwnService({ assume: { 'transcript-form': 'turns' } });
		await startCall(own, { scenario: 'tool-call' });
		expect(await firstRow(own, CALLS)).toMatchObject({ transcript: [] });
		await own.control.advance(A_CALL);
		const { transcript } = await firstRow(own, CALLS);
		expect(transcript).toEqual(
			expect.arrayContaining([
				{ role: 'assistant', content: newAssistant.initial_message },
				{ role: 'customer', content: expect.not.stringContaining('Customer:') },
				{ role: 'tool', content: 'Assistant calls the tool get_weather with {}.' },
			]),
		);
	});
});
