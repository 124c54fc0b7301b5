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
		assistant: {
			id: '1',
			user_id: '1',
			phone_number_id: '1',
			engine_id: null,
			tools: [{ id: '1' }],
		},
		call: { id: '1', duration: 60 },
		lead: {
			id: '102',
			campaign_id: '1',
			campaign: { id: '1' },
			secondary_contacts: [{ id: '103' }],
		},
		sms: { id: '1', phone_number_id: '1', user_id: '1', segments: 1 },
		tool: { id: '102', timeout: 10 },
	});
});

it('number-form texts: every other number is a text, but not in what users name', async () => {
	await using own = await startOwnService({ assume: { 'number-form': 'texts' } });
	const variables = { age: 7 };
	await own.alice.put('/user/assistant/1', { variables });
	expect(await records(own)).toMatchObject({
		assistant: { id: 1, fillers: '0', max_duration: '600', variables, tools: [{ timeout: '10' }] },
		call: { id: 1, duration: '60', total_cost: expect.stringMatching(/^0\.\d+$/) },
		sms: { segments: '1', segment_price: '0.08', total_cost: '0.08' },
		tool: { id: 102, timeout: '10' },
	});
	expect((await ask(own, 'GET', CALLS)).body).toMatchObject({ total: 1, per_page: 15 });
});

describe('timestamp-form', () => {
	it.each([
		['iso', 'UTC', '2026-03-02T09:00:00Z'],
		['iso', 'Asia/Tokyo', '2026-03-02T18:00:00+09:00'],
		['unix', 'UTC', Date.UTC(2026, 2, 2, 9) / 1000],
		['unix', 'Asia/Tokyo', Date.UTC(2026, 2, 2, 9) / 1000],
	])('%s, in %s', async (form, zone, created_at) => {
		const assume = { 'timestamp-form': form, 'time-zone': zone, 'number-form': 'texts' };
		await using own = await startOwnService({ assume });
		await startCall(own);
		expect(await firstRow(own, CALLS)).toMatchObject({ created_at });
		expect(getData(await addLead(own))).toMatchObject({ created_at, updated_at: created_at });
		expect(getData(await ask(own, 'POST', '/user/sms', SMS))).toMatchObject({ created_at });
		const tool = getData(await ask(own, 'POST', '/user/tools', newTool));
		expect(tool.created_at).toBe('2026-03-02T09:00:00.000000Z');
	});
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

	it('call-status-names: in records and in the filter, where the old name is unknown', async () => {
		const names = { completed: 'finished', busy: 'completed' };
		await using own = await startOwnService({ assume: { 'call-status-names': names } });
		await startCall(own);
		await own.control.advance(A_CALL);
		await startCall(own);
		const statuses = async (query = '') => {
			const { status, body } = await ask(own, 'GET', `${CALLS}${query}`);
			if (status !== 200) return body;
			const { data, first_page_url } = body as { data: unknown[]; first_page_url: string };
			return [data, new URL(first_page_url).searchParams.get('status')];
		};
		expect(await statuses()).toMatchObject([
			[{ status: 'initiated' }, { status: 'finished' }],
			null,
		]);
		expect(await statuses('?status=finished')).toMatchObject([
			[{ status: 'finished' }],
			'finished',
		]);
		// Here it is the name of `busy`.
		expect(await statuses('?status=completed')).toEqual([[], 'completed']);
		expect(await statuses('?status=busy')).toMatchObject({
			errors: { status: ['The selected status is invalid.'] },
		});
	});

	it('call-optional-fields nulls: what does not apply is null', async () => {
		await using own = await startOwnService({ assume: { 'call-optional-fields': 'nulls' } });
		await startCall(own);
		expect(await firstRow(own, CALLS)).toMatchObject({ campaign_name: null, recording_url: null });
		await own.control.outbound({ assistant_id: 1, to: LEAD_PHONE_NUMBER, lead_id: 1 });
		expect(await firstRow(own, CALLS)).toMatchObject({ campaign_name: 'Spring' });
	});

	it('call-empty-values nulls: the texts of a call without result are null', async () => {
		await using own = await startOwnService({ assume: { 'call-empty-values': 'nulls' } });
		await own.control.inbound({ assistant_id: 2 });
		expect(await firstRow(own, CALLS)).toMatchObject({
			transcript: null,
			client_phone_number: null,
			assistant_phone_number: '+4915112345604',
			variables: {},
			duration: 0,
		});
	});
});
