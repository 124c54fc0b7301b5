import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import {
	converted,
	toWireTypes,
} from '../../../../nodes/VoiceAssistantCalling/fields/toWireTypes.ts';
import type { WireType } from '../../../../nodes/VoiceAssistantCalling/fields/wireTypes.ts';

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

const NOTHING = ['', null, undefined];

it.each<[type: WireType, values: unknown[]]>([
	...TYPES.map((type): [WireType, unknown[]] => [type, NOTHING]),
	['object', ['{}', {}, { email: '' }]],
	['array', [[], {}, { header: [] }]],
])('what is empty is not sent: %s %j', (type, values) => {
	for (const value of values) {
		expect(converted({ [NAMES[type]]: value } as IDataObject)).toEqual({});
	}
});

it.each<[names: string, values: IDataObject, onWire: IDataObject]>([
	[
		'that the wire does not have',
		{ toolId: '7', json: '{"from": 1}', empty: '', nothing: null },
		{ toolId: '7', json: '{"from": 1}', empty: '', nothing: null },
	],
	[
		'that the user chose, in the JSON of an entry of a list',
		{ secondary_contacts: { contact: [{ variables: '{"from": "Berlin", "timeout": null}' }] } },
		{ secondary_contacts: [{ variables: { from: 'Berlin', timeout: null } }] },
	],
])('names %s keep their values', (_names, values, onWire) => {
	expect(converted(values)).toEqual(onWire);
});

it('a request keeps everything but query and body', async () => {
	const request = { url: '/user/calls', method: 'GET', headers: { Accept: 'x' } } as const;
	const filled = { ...request, qs: { campaign_id: '7' }, body: { timeout: '' } };
	expect(await toWireTypes(filled)).toEqual({ ...request, qs: { campaign_id: 7 }, body: {} });
	expect(await toWireTypes(request)).toEqual({ ...request, qs: {}, body: {} });
});
