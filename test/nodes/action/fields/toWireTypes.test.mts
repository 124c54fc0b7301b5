import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import {
	converted,
	toWireTypes,
} from '../../../../nodes/VoiceAssistantCalling/fields/toWireTypes.ts';
import {
	wireTypes,
	type WireType,
} from '../../../../nodes/VoiceAssistantCalling/fields/wireTypes.ts';

/** A field name of each type. */
const NAMES: Record<WireType, string> = {
	array: 'headers',
	boolean: 'record_call',
	date: 'date_from',
	integer: 'campaign_id',
	number: 'speech_speed',
	object: 'variables',
	string: 'phone_number',
};

const TYPES = Object.keys(NAMES) as WireType[];

it.each(TYPES)('the generated table has names of the type %s', (type) => {
	expect(wireTypes.get(NAMES[type])).toBe(type);
});

describe('a value gets the type of the wire', () => {
	const date = new Date('2026-02-01T23:30:00.000Z');

	it.each<[type: WireType, value: unknown, onWire: unknown]>([
		['string', 'Ada', 'Ada'],
		['string', ' Ada ', ' Ada '],
		['string', 4915112345699, '4915112345699'],
		['string', 0, '0'],
		['string', true, 'true'],
		['integer', 42, 42],
		['integer', '42', 42],
		['integer', ' 42 ', 42],
		['integer', 0, 0],
		['number', 0.75, 0.75],
		['number', '0.75', 0.75],
		['number', '0', 0],
		['boolean', true, true],
		['boolean', false, false],
		['boolean', 'true', true],
		['boolean', 'false', false],
		['boolean', ' TRUE ', true],
		['boolean', 1, true],
		['boolean', '0', false],
		['date', '2026-02-01', '2026-02-01'],
		['date', '2026-02-01T23:59:59.999+02:00', '2026-02-01'],
		['date', date, '2026-02-01'],
		// The day in the user's time zone, not in UTC.
		['date', DateTime.fromISO('2026-02-02T00:30:00+02:00', { setZone: true }), '2026-02-02'],
		['object', '{"city": "Berlin", "visits": 3}', { city: 'Berlin', visits: 3 }],
		['object', { city: 'Berlin', visits: 3 }, { city: 'Berlin', visits: 3 }],
		['object', { customer_name: 7, email: '' }, { customer_name: '7' }],
		['array', { header: [{ name: 'X-Shop', value: 7 }] }, [{ name: 'X-Shop', value: '7' }]],
		['array', [{ name: 'X-Shop', value: '7' }], [{ name: 'X-Shop', value: '7' }]],
		['array', ['7', 8], ['7', 8]],
	])('%s: %j', (type, value, onWire) => {
		expect(converted({ [NAMES[type]]: value } as IDataObject)).toEqual({ [NAMES[type]]: onWire });
	});
});

describe('what is empty is not sent', () => {
	it.each(TYPES)('%s', (type) => {
		for (const value of ['', null, undefined]) {
			expect(converted({ [NAMES[type]]: value })).toEqual({});
		}
	});

	it.each<[type: WireType, value: unknown]>([
		['object', '{}'],
		['object', {}],
		['object', { email: '' }],
		['array', []],
		['array', {}],
		['array', { header: [] }],
	])('%s: %j', (type, value) => {
		expect(converted({ [NAMES[type]]: value } as IDataObject)).toEqual({});
	});
});

describe('names that are not those of the wire', () => {
	it('keep their values', () => {
		const values = { toolId: '7', json: '{"from": 1}', empty: '', nothing: null };
		expect(converted(values)).toEqual(values);
	});

	it('are those that the user chose, in the JSON of an entry of a list', () => {
		const entry = { variables: '{"from": "Berlin", "timeout": null, "email": 1}' };
		expect(converted({ secondary_contacts: { contact: [entry] } })).toEqual({
			secondary_contacts: [{ variables: { from: 'Berlin', timeout: null, email: 1 } }],
		});
	});
});

it('a request keeps everything but query and body', async () => {
	const request = { url: '/user/calls', method: 'GET', headers: { Accept: 'x' } } as const;
	expect(
		await toWireTypes({ ...request, qs: { campaign_id: '7' }, body: { timeout: '' } }),
	).toEqual({ ...request, qs: { campaign_id: 7 }, body: {} });
	expect(await toWireTypes(request)).toEqual({ ...request, qs: {}, body: {} });
});
