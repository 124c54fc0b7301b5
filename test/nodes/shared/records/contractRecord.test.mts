import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { toContractRecord } from '../../../../nodes/shared/records/contractRecord.ts';
import { MissingFields } from '../../../../nodes/shared/records/missingFields.ts';
import { recordShapes } from '../../../../nodes/shared/records/recordShapes.ts';

const { assistant, call, lead, smsMessage } = recordShapes;

const CALL: IDataObject = {
	id: 5001,
	assistant_name: 'Reception',
	type: 'outbound',
	duration: 74,
	assistant_phone_number: '+14155550100',
	client_phone_number: '+14155550123',
	status: 'completed',
	transcript: 'Assistant: Hello.\nCustomer: Hi.',
	variables: {},
	evaluation: {},
	webhook_response: {},
	carrier_cost: 0.02,
	total_cost: 0.19,
	answered_by: 'human',
	created_at: '2026-03-02 09:30:00',
	updated_at: '2026-03-02 09:31:14',
};

describe('a record of the service', () => {
	it('is not even copied if it has the types of the contract', () => {
		expect(toContractRecord(CALL, call)).toBe(CALL);
	});

	it.each<[string, IDataObject]>([
		['times of another zone', { created_at: '2026-03-02T18:30:00+09:00' }],
		['times in milliseconds', { created_at: 1772443800123 }],
		['times of mails', { created_at: 'Mon, 02 Mar 2026 10:30:00 +0100' }],
		['times of Rails', { created_at: '2026-03-02 09:30:00 UTC' }],
		['times with parts of a second', { created_at: 1772443800.25 }],
		['objects as JSON', { variables: '{}', evaluation: '[]' }],
		['a word with its label', { status: { value: 'completed', label: 'Completed' } }],
		['times of Carbon', { created_at: { date: '2026-03-02 09:30:00.000000', timezone: 'UTC' } }],
	])('gets the types of the contract: %s', (_what, fields) => {
		const record = { ...CALL, ...fields };
		expect(toContractRecord(record, call)).toStrictEqual(CALL);
		expect(record).toMatchObject(fields);
	});

	it.each([1, '1', 'true', 'TRUE', 'Yes', 'y', 't', 'on'])('gets true for %j', (value) => {
		expect(toContractRecord({ is_webhook_active: value }, assistant)).toStrictEqual({
			is_webhook_active: true,
		});
	});

	it.each([0, '0', 'false', 'NO', 'n', 'f', 'off'])('gets false for %j', (value) => {
		expect(toContractRecord({ is_webhook_active: value }, assistant)).toStrictEqual({
			is_webhook_active: false,
		});
	});

	it('gets empty values for null where the contract has no null', () => {
		const sent = { ...CALL, transcript: null, status: null, duration: null, created_at: null };
		const values = { transcript: '', status: '', created_at: '' };
		expect(toContractRecord(sent, call)).toStrictEqual({ ...CALL, ...values, duration: null });
	});

	it.each([
		[call, { campaign_name: null, recording_url: null }],
		[assistant, { phone_number_id: null, webhook_url: null, deleted_at: null }],
	])('keeps null where the contract has it, or where the field may be missing', (shape, record) => {
		expect(toContractRecord(record, shape)).toBe(record);
	});

	it.each<IDataObject>([
		{ id: '9007199254740993' },
		{ id: 'call-7', duration: '3 minutes', total_cost: '' },
		{ created_at: 'yesterday', updated_at: 123 },
		{ variables: ['a'], evaluation: 'good' },
		{ mood: '5', sentiment: null, scores: [] },
		{ status: 3, type: { label: 'Outbound' } },
	])(
		'keeps a value that has another form, and fields that the contract does not know: %j',
		(record) => {
			expect(toContractRecord(record, call)).toStrictEqual(record);
		},
	);

	it('gets the types of the contract in the records inside it', () => {
		const sent = {
			campaign: { id: '1', name: '7' },
			secondary_contacts: [{ id: '102', variables: [], created_at: 1772443800 }, 'other'],
		};
		expect(toContractRecord(sent, lead)).toStrictEqual({
			campaign: { id: 1, name: '7' },
			secondary_contacts: [{ id: 102, variables: {}, created_at: '2026-03-02 09:30:00' }, 'other'],
		});
		const tools = [{ id: '3', timeout: '10', name: '12' }];
		expect(toContractRecord({ fillers: '1', tools }, assistant)).toStrictEqual({
			fillers: 1,
			tools: [{ id: 3, timeout: 10, name: '12' }],
		});
	});

	it('has the URL of a file, and the turns of a transcript with a name', () => {
		const sent = {
			recording_url: { url: 'x', size: 3 },
			transcript: { name: 'T', turns: ['Hi.'] },
		};
		expect(toContractRecord(sent, call)).toStrictEqual({
			recording_url: 'x',
			transcript: 'Hi.',
			transcript_entries: ['Hi.'],
		});
	});

	it('has the URL of the only file in a list', () => {
		const toUrl = (recording_url: IDataObject[]) => toContractRecord({ recording_url }, call);
		expect(toUrl([{ url: 'x' }])).toStrictEqual({ recording_url: 'x' });
		const two = [{ url: 'x' }, { url: 'y' }];
		expect(toUrl(two)).toStrictEqual({ recording_url: two });
	});

	it('has a phone number as text', () => {
		expect(toContractRecord({ client_phone_number: 4915112345678 }, call)).toStrictEqual({
			client_phone_number: '4915112345678',
		});
	});

	it('keeps the text in which the contract has a decimal', () => {
		const record = { speech_speed: '1.10', llm_temperature: '0.5' };
		expect(toContractRecord(record, assistant)).toBe(record);
	});

	it('keeps numbers in texts that users write', () => {
		const sent = { body: '12', to: '4915112345678', segments: '1' };
		expect(toContractRecord(sent, smsMessage)).toStrictEqual({ ...sent, segments: 1 });
	});
});

describe('the fields that a record lacks', () => {
	it('are empty, each in its type, and named once in a warning', () => {
		const missing = new MissingFields();
		const { duration, status, evaluation, created_at, ...rest } = CALL;
		expect([duration, status, evaluation, created_at]).not.toContain(undefined);
		const completed = { ...rest, duration: null, status: '', evaluation: {}, created_at: '' };
		expect(missing.complete(rest, call)).toStrictEqual(completed);
		expect(missing.complete({ ...rest, id: 5002 }, call)).toMatchObject({
			id: 5002,
			duration: null,
		});
		expect(missing.warning).toBe(
			'The service left out fields that its description promises, so they are empty in the items: duration, status, evaluation, created_at. Ask your provider about them.',
		);
	});

	it('are null where the contract has null, and an ID is not invented', () => {
		const missing = new MissingFields();
		const completed = missing.complete({ name: 'Reception' }, assistant);
		expect(completed).toMatchObject({ voice_id: null, tools: [], record: null });
		expect(completed).not.toHaveProperty('id');
		expect(missing.warning).toContain('empty in the items: id, user_id');
	});

	it('are none in a whole record, which is not copied', () => {
		const missing = new MissingFields();
		expect(missing.complete(CALL, call)).toBe(CALL);
		expect(missing.warning).toBeUndefined();
	});
});
