import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { toContractRecord } from '../../../../nodes/shared/records/contractRecord.ts';
import { recordShapes } from '../../../../nodes/shared/records/recordShapes.ts';
import { UnexpectedFields } from '../../../../nodes/shared/records/unexpectedFields.ts';

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
	it.each<[string, IDataObject]>([
		['with the types of the contract', {}],
		['with null', { transcript: null, status: null, duration: null, evaluation: null }],
	])('is not even copied: %s', (_what, fields) => {
		const record = { ...CALL, ...fields };
		expect(toContractRecord(record, call)).toBe(record);
	});

	it.each<[string, IDataObject]>([
		['IDs and costs as texts', { id: '5001', carrier_cost: '0.02000000', total_cost: '0.19' }],
		['times in ISO 8601', { created_at: '2026-03-02T09:30:00.000000Z' }],
		['times of another zone', { created_at: '2026-03-02T18:30:00+09:00' }],
		['empty lists for empty objects', { variables: [], evaluation: [], webhook_response: [] }],
	])('gets the types of the contract: %s', (_what, fields) => {
		const record = { ...CALL, ...fields };
		expect(toContractRecord(record, call)).toStrictEqual(CALL);
		expect(record).toMatchObject(fields);
	});

	it.each([
		[1, true],
		[0, false],
	])('gets a boolean for %j', (value, is_webhook_active) => {
		const record = { is_webhook_active: value };
		expect(toContractRecord(record, assistant)).toStrictEqual({ is_webhook_active });
	});

	it.each<IDataObject>([
		{ id: '9007199254740993' },
		{ id: 'call-7', duration: '3 minutes', total_cost: '', client_phone_number: 4915112345678 },
		{ created_at: 'yesterday', updated_at: 1772443800 },
		{ variables: '["a","b"]', evaluation: 'good', webhook_response: ['a'] },
		{ mood: '5', sentiment: null, scores: [] },
		{ status: { value: 'completed' }, type: 3, answered_by: 'none' },
		{ recording_url: { url: 'x' }, transcript: { turns: ['Hi.'] } },
	])('keeps a value of another form, and fields that no document knows: %j', (record) => {
		expect(toContractRecord(record, call)).toStrictEqual(record);
	});

	it.each<IDataObject>([
		{ ambient_sound: 'none', knowledgebase_mode: 'None' },
		{ is_webhook_active: 'true', record: 'yes' },
		{ speech_speed: '1.10', llm_temperature: '0.5' },
		{ fillers: true, end_call_on_voicemail: 1 },
	])('keeps the values of an assistant: %j', (record) => {
		expect(toContractRecord(record, assistant)).toStrictEqual(record);
	});

	it('gets the types of the contract in the records inside it', () => {
		const sent = {
			campaign: { id: '1', name: '7' },
			secondary_contacts: [
				{ id: '102', variables: [], created_at: '2026-03-02T09:30:00Z' },
				'other',
			],
		};
		expect(toContractRecord(sent, lead)).toStrictEqual({
			campaign: { id: 1, name: '7' },
			secondary_contacts: [{ id: 102, variables: {}, created_at: '2026-03-02 09:30:00' }, 'other'],
		});
		const tools = [{ id: '3', timeout: '10', name: '12' }];
		expect(toContractRecord({ tools }, assistant)).toStrictEqual({
			tools: [{ id: 3, timeout: 10, name: '12' }],
		});
	});

	it('has an evaluation by name, and keeps the list', () => {
		const evaluation = [
			{ name: 'status', type: 'bool', value: true },
			{ name: '__proto__', type: 'string', value: null },
		];
		const { evaluation: byName, ...others } = toContractRecord({ evaluation }, call);
		expect(Object.entries(byName as IDataObject)).toEqual([
			['status', true],
			['__proto__', null],
		]);
		expect(others).toStrictEqual({ evaluation_entries: evaluation });
	});

	it.each([[[{ name: 'status' }]], [['good']], [[{ name: 'a', value: 1 }, null]]])(
		'keeps an evaluation of another form: %j',
		(evaluation) => {
			const record = { evaluation } as IDataObject;
			expect(toContractRecord(record, call)).toBe(record);
		},
	);

	it('keeps numbers in texts that users write', () => {
		const sent = { body: '12', to: '4915112345678', segments: '1' };
		expect(toContractRecord(sent, smsMessage)).toStrictEqual({ ...sent, segments: 1 });
	});
});

describe('what a record has in place of the fields of the contract', () => {
	it('is named once in a warning, and the records stay', () => {
		const unexpected = new UnexpectedFields();
		const { duration, created_at, ...rest } = CALL;
		expect([duration, created_at]).not.toContain(undefined);
		for (const id of [5001, 5002]) {
			const record = { ...rest, id, status: 3, evaluation: 'good' };
			expect(unexpected.note(record, call)).toBe(record);
		}
		expect(unexpected.warning).toBe(
			'The service left out fields that its description promises: duration, created_at. ' +
				'The service sent fields in another form than its description promises: status, evaluation. ' +
				'The items have them as they came. Ask your provider about them.',
		);
	});

	it.each<[string, IDataObject]>([
		['the types of the contract', CALL],
		['null', { ...CALL, duration: null, variables: null, recording_url: null }],
		['a long ID as a text', { ...CALL, id: '9007199254740993' }],
	])('is nothing where it has %s', (_what, record) => {
		const unexpected = new UnexpectedFields();
		expect(unexpected.note(record, call)).toBe(record);
		expect(unexpected.warning).toBeUndefined();
	});
});
