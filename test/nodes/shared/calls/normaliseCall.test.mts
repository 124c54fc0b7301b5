import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normaliseCall } from '../../../../nodes/shared/calls/normaliseCall.ts';

/** A delivery as publicly documented for services of this kind; the values are made up. */
const delivery = {
	id: 480336,
	customer_phone: '+4915123456789',
	assistant_phone: '+4912345678',
	duration: 180,
	status: 'completed',
	extracted_variables: { customer_interested: true },
	input_variables: { customer_name: 'Max Mustermann' },
	transcript: 'Assistant: Hello Mr. Mustermann!',
	recording_url: null,
	created_at: '2024-01-15T10:30:00Z',
	finished_at: '2024-01-15T10:33:00Z',
	lead: { id: 12345, phone_number: '+4915123456789' },
	campaign: { id: 2324, name: 'New customers', status: 'in-progress' },
};

const normalise = (body: unknown) => normaliseCall(body, 'callCompleted', 7);

const RENAMED = ['customer_phone', 'assistant_phone', 'extracted_variables'];
const ADDED = ['event', 'assistant_id'];

describe('a delivered call', () => {
	it('gets the field names of a call record, and its event and assistant', () => {
		const { customer_phone, assistant_phone, extracted_variables, ...others } = delivery;
		expect(normalise(delivery)).toEqual({
			...others,
			event: 'callCompleted',
			assistant_id: 7,
			client_phone_number: customer_phone,
			assistant_phone_number: assistant_phone,
			variables: extracted_variables,
			campaign_id: 2324,
			campaign_name: 'New customers',
		});
	});

	it('stays unchanged if it has these names already', () => {
		const call = normalise(delivery);
		expect(normalise(call)).toEqual(call);
	});

	it('has an empty object as variables, also if the service sends an empty list', () => {
		const call = normalise({
			extracted_variables: [],
			input_variables: [],
			lead: null,
			campaign: null,
		});
		expect(call).toEqual({
			event: 'callCompleted',
			assistant_id: 7,
			variables: {},
			input_variables: {},
			lead: null,
			campaign: null,
		});
	});

	it('keeps both values if a field has both of its names', () => {
		expect(normalise({ customer_phone: '+491', client_phone_number: '+492' })).toMatchObject({
			customer_phone: '+491',
			client_phone_number: '+492',
		});
	});

	it('keeps fields with the names of an object’s own members', () => {
		const body = JSON.parse('{"constructor":1,"toString":2,"__proto__":{"id":3}}') as object;
		const call = normalise(body);
		expect(Object.keys(call).sort()).toEqual(
			['__proto__', 'assistant_id', 'constructor', 'event', 'toString'].sort(),
		);
		expect(Object.getPrototypeOf(call)).toBe(Object.prototype);
	});

	it('adds no campaign fields that the campaign does not have', () => {
		expect(Object.keys(normalise({ campaign: {} })).sort()).toEqual(
			['assistant_id', 'campaign', 'event'].sort(),
		);
	});

	it.each([[[1, { id: 2 }]], ['text'], [5], [null], [true]])(
		'passes through if it is not an object: %j',
		(body) => {
			expect(normalise(body)).toEqual({ event: 'callCompleted', assistant_id: 7, body });
		},
	);

	it('never fails, and loses no unknown field', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (body) => {
				const call = normalise(body);
				expect(call).toMatchObject({ event: 'callCompleted', assistant_id: 7 });
				if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
				for (const [name, value] of Object.entries(body)) {
					if ([...RENAMED, ...ADDED, 'variables', 'input_variables'].includes(name)) continue;
					expect(Object.getOwnPropertyDescriptor(call, name)?.value).toEqual(value);
				}
			}),
		);
	});

	it('loses no known value, under any of its names', () => {
		const names = fc.constantFrom(
			...RENAMED,
			'client_phone_number',
			'variables',
			'input_variables',
			'campaign',
			'campaign_id',
		);
		fc.assert(
			fc.property(fc.dictionary(names, fc.string()), (body) => {
				const values = Object.values(normalise(body));
				expect(values).toEqual(expect.arrayContaining(Object.values(body)));
			}),
		);
	});
});
