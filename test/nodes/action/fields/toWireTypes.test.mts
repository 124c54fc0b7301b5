import { expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import {
	converted,
	toWireTypes,
} from '../../../../nodes/VoiceAssistantCalling/fields/toWireTypes.ts';

it.each<[name: string, value: unknown, onWire: unknown]>([
	['phone_number', true, 'true'],
	['record_call', true, true],
	['record_call', false, false],
	['record_call', 'true', true],
	['record_call', 'false', false],
	['record_call', ' TRUE ', true],
	['record_call', 1, true],
	['record_call', '0', false],
	// The day in the user's time zone, not in UTC.
	['date_from', DateTime.fromISO('2026-02-02T00:30:00+02:00', { setZone: true }), '2026-02-02'],
	['headers', ['7', 8], ['7', 8]],
])('%s gets the type that it has on the wire: %j', (name, value, onWire) => {
	expect(converted({ [name]: value } as IDataObject)).toEqual({ [name]: onWire });
});

it('names that the wire does not have keep their values', () => {
	const values = { toolId: '7', json: '{"from": 1}', empty: '', nothing: null };
	expect(converted(values)).toEqual(values);
});

it('a request keeps everything but query and body', async () => {
	const request = { url: '/user/calls', method: 'GET', headers: { Accept: 'x' } } as const;
	const filled = { ...request, qs: { campaign_id: '7' }, body: { timeout: '' } };
	expect(await toWireTypes(filled)).toEqual({ ...request, qs: { campaign_id: 7 }, body: {} });
	expect(await toWireTypes(request)).toEqual({ ...request, qs: {}, body: {} });
});
