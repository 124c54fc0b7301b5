import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { A_CALL, CALLER_PHONE_NUMBER, enableWebhook, startCall } from '../support/calls.mts';
import { parseJson } from '../support/client.mts';
import { ask, firstRow } from '../support/providers.mts';
import { startReceiver } from '../support/receiver.mts';
import { startOwnService } from '../support/testService.mts';

const receiver = await startReceiver();
beforeEach(() => receiver.clear());
afterAll(() => receiver.close());

const bodies = () => receiver.arrivals.map(({ body }) => body);

it('a webhook has the forms of the provider, and the control API shows it so', async () => {
	await using own = await startOwnService({
		assume: {
			'id-form': 'texts',
			'number-form': 'texts',
			'empty-objects': 'nulls',
			'transcript-form': 'turns',
			'call-status-names': { completed: 'finished' },
			'extra-fields': { notification: { source: 'phone' }, lead: { tags: [] } },
			'missing-fields': { notification: ['assistant_phone'] },
		},
	});
	await ask(own, 'PUT', '/user/assistant/1', {
		webhook_url: receiver.url,
		is_webhook_active: true,
	});
	await startCall(own, { lead_id: 1 });
	await own.control.advance(A_CALL);
	expect(bodies()).toEqual([
		{
			id: '1',
			customer_phone: expect.any(String),
			duration: '60',
			status: 'finished',
			extracted_variables: null,
			input_variables: { customer_name: 'Jane', city: 'Bonn' },
			transcript: expect.arrayContaining([{ role: 'customer', content: expect.any(String) }]),
			created_at: '2026-03-02T09:00:00Z',
			finished_at: expect.stringMatching(/^2026-03-02T09:01:/),
			lead: expect.objectContaining({ id: '1', tags: [] }),
			campaign: { id: '1', name: 'Spring', status: 'draft' },
			source: 'phone',
		},
	]);
	expect(await own.control.deliveries()).toMatchObject([{ body: bodies()[0] }]);
});

const FORM = 'application/x-www-form-urlencoded';
it.each<[content: string, type: string | undefined, read: (text: string) => unknown]>([
	['json', 'application/json', parseJson],
	['text', 'text/plain', parseJson],
	['untyped', undefined, parseJson],
	['form', FORM, (text) => parseJson(new URLSearchParams(text).get('payload') ?? '')],
	['json-text', 'application/json', (text) => parseJson(String(parseJson(text)))],
	[
		'form-fields',
		FORM,
		(text) => {
			const { id, ...fields } = Object.fromEntries(new URLSearchParams(text));
			return id === undefined ? fields : { ...fields, id: Number(id) };
		},
	],
])('webhook-content %s: of a call and of a ping', async (content, type, read) => {
	await using own = await startOwnService({
		assume: {
			'webhook-content': content,
			'webhook-ping': true,
			'webhook-signature': { header: 'x-sign', secret: 's' },
		},
	});
	await enableWebhook(own.alice, 1, receiver.url);
	await receiver.arrived(1);
	await startCall(own);
	await own.control.advance(A_CALL);
	expect(receiver.arrivals.map(({ text }) => read(text))).toEqual([
		{ event: 'ping' },
		expect.objectContaining({ id: 1, status: 'completed' }),
	]);
	for (const { text, headers } of receiver.arrivals) {
		expect(headers['content-type']).toBe(type);
		expect(headers['x-sign']).toBe(createHmac('sha256', 's').update(text).digest('hex'));
	}
	expect(await own.control.deliveries()).toMatchObject([{ body: { id: 1 } }]);
});

it.each([
	['in-call', { event: 'call.completed', call: { id: 1 } }],
	['in-attributes', { data: { type: 'call', id: 1, attributes: { status: 'completed' } } }],
	['in-list', [{ id: 1, status: 'completed' }]],
])('webhook-payload %s', async (payload, body) => {
	await using own = await startOwnService({ assume: { 'webhook-payload': payload } });
	await enableWebhook(own.alice, 1, receiver.url);
	await startCall(own);
	await own.control.advance(A_CALL);
	expect(receiver.arrivals.map(({ text }) => parseJson(text))).toMatchObject([body]);
});

it('webhook-events start-and-end: both webhooks come twice, whatever the options say', async () => {
	await using own = await startOwnService({
		assume: { 'webhook-events': 'start-and-end', 'webhook-payload': 'in-data' },
	});
	const options = { send_webhook_only_on_completed: true };
	await enableWebhook(own.alice, 2, `${receiver.url}/calls`, options);
	await own.alice.post('/user/assistants/enable-inbound-webhook', {
		assistant_id: 2,
		webhook_url: `${receiver.url}/inbound`,
	});
	await own.control.inbound({ assistant_id: 2, from: CALLER_PHONE_NUMBER });
	await own.control.advance('PT1S');
	const start = {
		event: 'call.started',
		data: expect.objectContaining({
			id: 1,
			status: 'initiated',
			duration: 0,
			transcript: '',
			created_at: '2026-03-02T09:00:00Z',
			finished_at: null,
		}),
	};
	expect(bodies()).toEqual([start, start]);
	expect(receiver.arrivals.map(({ path }) => path).toSorted()).toEqual(['/calls', '/inbound']);
	// Its result is not that of the call.
	expect((await firstRow(own, '/user/calls')).webhook_response).toEqual({});
	await own.control.advance(A_CALL);
	expect(bodies().slice(2)).toMatchObject([
		{ event: 'call.completed', data: { id: 1, status: 'completed' } },
		{ event: 'call.completed', data: { id: 1, status: 'completed' } },
	]);
	expect(await firstRow(own, '/user/calls')).toMatchObject({ webhook_response: { status: 200 } });
});
