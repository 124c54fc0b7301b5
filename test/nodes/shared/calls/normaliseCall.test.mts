import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { asObject, resolve } from '../../../../sandbox/test/support/contract.mts';
import { normaliseCall } from '../../../../nodes/shared/calls/normaliseCall.ts';
import { toContractRecord } from '../../../../nodes/shared/records/contractRecord.ts';
import { recordShapes } from '../../../../nodes/shared/records/recordShapes.ts';
import { forAny } from '../../../support/forAny.mts';

/** The fields of a schema with their types: `number`, `object`, `time`, `boolean`, or another one. */
function fieldTypes(schema: string): Array<[string, string]> {
	const { properties } = resolve({ $ref: `#/components/schemas/${schema}` }, schema).value;
	return Object.entries(asObject(properties, schema)).map(([name, field]) => {
		const { $ref, type, format } = asObject(field, name);
		const isTime = format === 'date-time' || String($ref).endsWith('/Timestamp');
		return [name, isTime ? 'time' : String([type].flat()[0]).replace('integer', 'number')];
	});
}

const normalise = (body: IDataObject) => normaliseCall(body, 'callCompleted', 7);

/** What each call has. */
const COMMON = { event: 'callCompleted', outcome: 'unknown', assistant_id: 7 };

const RENAMED = ['customer_phone', 'assistant_phone', 'extracted_variables'];

/** Fields whose values are converted. */
const TYPED = [
	...['lead', 'campaign', 'transcript', 'transcript_entries'],
	...['id', 'campaign_id', 'duration', 'carrier_cost', 'total_cost'],
	...['variables', 'input_variables', 'evaluation', 'webhook_response'],
	...['created_at', 'updated_at', 'finished_at'],
];

describe('a delivered call', () => {
	const empty = { input_variables: {}, lead: null, campaign: null };
	const UNANSWERED = { status: 'no-answer', outcome: 'no-answer' };
	const twoNames = { customer_phone: '+491', client_phone_number: '+492' };

	it.each<[string, IDataObject, object]>([
		[
			'has an empty object as variables where the service sends an empty list',
			{ ...empty, extracted_variables: [], input_variables: [] },
			{ ...empty, variables: {} },
		],
		[
			'keeps null',
			{ extracted_variables: null, lead: { id: '7', variables: null } },
			{ variables: null, lead: { id: 7, variables: null } },
		],
		[
			'has the campaign of its lead',
			{ lead: { campaign: { id: 2, name: '9' } } },
			{ lead: { campaign: { id: 2, name: '9' } }, campaign_id: 2, campaign_name: '9' },
		],
		['has the status of the list of calls', { status: 'unanswered' }, UNANSWERED],
		[
			'has the IDs of its lead and its campaign as numbers',
			{ lead: { id: '7', campaign_id: '2', name: '5' }, campaign: { id: '2', name: '9' } },
			{
				lead: { id: 7, campaign_id: 2, name: '5' },
				campaign: { id: 2, name: '9' },
				campaign_id: 2,
				campaign_name: '9',
			},
		],
		['keeps both values if a field has both of its names', twoNames, twoNames],
		['has no fields that its campaign does not have', { campaign: {} }, { campaign: {} }],
	])('%s', (_what, body, call) => {
		expect(normalise(body)).toEqual({ ...COMMON, ...call });
	});

	it('keeps fields with the names of an object’s own members', () => {
		const body = JSON.parse('{"constructor":1,"toString":2,"__proto__":{"id":3}}') as IDataObject;
		const call = normalise(body);
		expect(Object.keys(call).sort()).toEqual(
			['__proto__', 'assistant_id', 'constructor', 'event', 'outcome', 'toString'].sort(),
		);
		expect(Object.getPrototypeOf(call)).toBe(Object.prototype);
	});

	it('has no assistant if nobody knows it', () => {
		const { assistant_id, ...others } = COMMON;
		expect(assistant_id).toBe(7);
		expect(normaliseCall({ id: 1 }, 'callCompleted')).toStrictEqual({ ...others, id: 1 });
	});

	it('never fails, and loses no unknown field', () =>
		forAny(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
			const call = normalise(body);
			expect(call).toMatchObject({ event: 'callCompleted', assistant_id: 7 });
			for (const [name, value] of Object.entries(body)) {
				if ([...RENAMED, ...Object.keys(COMMON), ...TYPED].includes(name)) continue;
				expect(Object.getOwnPropertyDescriptor(call, name)?.value).toEqual(value);
			}
		}));

	it('loses no known value, under any of its names', async () => {
		const others = ['variables', 'input_variables', 'campaign', 'campaign_id'];
		const names = fc.constantFrom(...RENAMED, 'client_phone_number', ...others);
		// A number in a text becomes a number.
		const texts = fc.string().map((text) => `text ${text}`);
		await forAny(fc.dictionary(names, texts), (body) => {
			const values = Object.values(normalise(body));
			expect(values).toEqual(expect.arrayContaining(Object.values(body)));
		});
	});
});

describe('a record of the list of calls', () => {
	it('keeps a value of a form that it does not know', () => {
		const sent = {
			id: '99999999999999999999',
			duration: '3 minutes',
			carrier_cost: '',
			total_cost: null,
			variables: ['a'],
			evaluation: 'good',
			created_at: 'yesterday',
			updated_at: '2024-13-45 99:99:99',
			finished_at: 17053146,
		};
		expect(normalise(sent)).toMatchObject(sent);
	});

	it.each([
		['2024-01-15 10:30:00', '2024-01-15T10:30:00Z'],
		['2024-01-15T10:30:00', '2024-01-15T10:30:00Z'],
		['2024-01-15T10:30:00Z', '2024-01-15T10:30:00Z'],
		['2024-01-15T10:30:00.123456Z', '2024-01-15T10:30:00Z'],
		['2024-01-15T10:30:00.123456', '2024-01-15T10:30:00Z'],
		['2024-01-15T11:30:00+01:00', '2024-01-15T10:30:00Z'],
	])('has its time %s as %s', (sent, time) => {
		const record = toContractRecord({ created_at: sent }, recordShapes.call);
		expect(record).toEqual({ created_at: time.slice(0, 19).replace('T', ' ') });
		for (const call of [record, { created_at: sent }]) {
			expect(normalise(call)).toMatchObject({ created_at: time });
		}
	});

	it('has the types that the contract gives to its fields', () => {
		const samples: Record<string, [sent: unknown, value: unknown]> = {
			number: ['12', 12],
			object: [[], {}],
			time: ['2024-01-15 10:30:00', '2024-01-15T10:30:00Z'],
		};
		for (const schema of ['Call', 'CallNotification']) {
			const all = fieldTypes(schema);
			const types = all.filter(([, type]) => type in samples);
			expect(types.length).toBeGreaterThan(4);
			for (const [name, type] of types) {
				const [sent, value] = samples[type] ?? [];
				expect(Object.values(normalise({ [name]: sent } as IDataObject))).toContainEqual(value);
			}
			// If a field becomes a flag, `1` and `0` must become booleans.
			expect(all.map(([, type]) => type)).not.toContain('boolean');
		}
	});
});
