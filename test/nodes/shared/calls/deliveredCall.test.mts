import { expect, it } from '@jest/globals';
import { deliveredCalls } from '../../../../nodes/shared/calls/deliveredCall.ts';

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
	const delivery = { calls, transcript: 'Hi.' };
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
