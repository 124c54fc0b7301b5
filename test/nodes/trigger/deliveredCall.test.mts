import { expect, it } from '@jest/globals';
import {
	deliveredCalls,
	isBeginning,
	mayBeCall,
} from '../../../nodes/VoiceAssistantCallingTrigger/deliveredCall.ts';

const call = { id: 7, status: 'completed' };

it('what a delivery has of its call beside it belongs to the call', () => {
	const delivery = { event: 'call_analyzed', call, transcript: 'Hi.', recording_url: null, x: 1 };
	expect(deliveredCalls(delivery)).toEqual([
		{ call: { ...call, transcript: 'Hi.', recording_url: null }, serviceEvent: 'call_analyzed' },
	]);
	const own = { call: { ...call, transcript: 'Own.' }, transcript: 'Other.' };
	expect(deliveredCalls(own)).toMatchObject([{ call: { transcript: 'Own.' } }]);
});

it('what stands beside several calls is of none of them', () => {
	const calls = [call, { ...call, id: 8 }];
	const delivery = { data: calls, transcript: 'Hi.' };
	expect(deliveredCalls(delivery).map((each) => each.call)).toEqual(calls);
});

it.each(['result', 'response', 'body', 'record', 'message', 'conversation', 'attributes'])(
	'a call in %s is found',
	(name) => {
		expect(deliveredCalls({ [name]: call })).toEqual([{ call, serviceEvent: undefined }]);
	},
);

it.each(['event', 'event_type', 'eventType', 'event_name'])(
	'the name of the event can be in %s',
	(field) => {
		expect(deliveredCalls({ [field]: 'call.started', data: call })).toMatchObject([
			{ serviceEvent: 'call.started' },
		]);
	},
);

it.each([
	{ call_id: 'c1', duration: 64, events: [{ status: 'ringing' }, { status: 'completed' }] },
	{ call_id: 'c1', recording_url: 'x', conversation: [{ role: 'agent', message: 'Hi' }] },
	{ call_id: 'c1', customer_phone: '+49', conversation: [] },
	{ id: 7, customer_phone: '+49', result: { answer: 'yes' } },
	{ id: 7, status: 'completed', result: { 1: 'yes', 3: 'no' }, data: { 1: 'yes' } },
	{ id: 7, status: 'completed', message: '[1,2]', response: '{"a":1}' },
])('a call keeps a field of its own that has such a name: %j', (own) => {
	expect(deliveredCalls(own)).toEqual([{ call: own, serviceEvent: undefined }]);
});

it('what stands beside a call fills what is empty in it', () => {
	const delivery = { call: { ...call, transcript: null }, transcript: 'Hi.' };
	expect(deliveredCalls(delivery)).toMatchObject([{ call: { transcript: 'Hi.' } }]);
});

it('a record of JSON:API is its attributes, with its ID', () => {
	const attributes = { status: 'busy', duration: 0 };
	const delivery = { data: { type: 'calls', id: '7', attributes } };
	expect(deliveredCalls(delivery)).toMatchObject([{ call: { ...attributes, id: '7' } }]);
});

it.each<[string, object]>([
	['an object', { details: call }],
	['a list', { content: [call] }],
	['a text', { resource: JSON.stringify(call), sent_at: 5 }],
])('a call is found in the only field that has %s, whatever its name is', (_what, fields) => {
	const [delivered] = deliveredCalls({ event: 'call.completed', ...fields });
	expect(delivered).toEqual({ call, serviceEvent: 'call.completed' });
});

it.each([
	{ event: 'call.completed', a: { x: 1 }, b: { y: 2 } },
	{ CallSid: 'CA1', CallStatus: 'completed' },
	{ callDetails: 'x' },
])('what names a call may be one: %j', (delivery) => {
	expect(deliveredCalls(delivery).map(mayBeCall)).toEqual([true]);
});

it.each([
	['call.created', true],
	['call.scheduled', true],
	['call.dialling', true],
	['callPickedUp', true],
	['call_record.created', false],
	['call.completed', false],
	['call.not_answered', false],
])('the event %s says that a call begins: %j', (serviceEvent, expected) => {
	expect(isBeginning({ call, serviceEvent })).toBe(expected);
});
