import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { A_CALL, CALLER_PHONE_NUMBER } from './support/calls.mts';
import { webhookViolations, type JsonObject } from './support/contract.mts';
import { folderPerTest } from './support/process.mts';
import { expectResponse } from './support/responses.mts';
import type { Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { serviceAndReceiver } from './support/webhooks.mts';

/** public-service.md, "Inbound webhook: a question before the call". */
const { service, receiver } = await serviceAndReceiver({ service: 'current' });
const folder = folderPerTest();

const ASKED = 'Call 1 from +4915112345677: the inbound webhook of assistant 2 “Receiver” is asked';

/** Assistant 2 has both webhooks, and its greeting names a variable. */
async function enableBoth({ alice }: Service = service): Promise<void> {
	const json = {
		...{ assistant_id: 2, webhook_url: `${receiver.url}/inbound` },
		...{
			initial_message: 'Hello {customer_name}!',
			variables: { customer_name: 'you', plan: 'A' },
		},
	};
	const { assistant_id, webhook_url, ...fields } = json;
	await alice.post('/user/assistants/enable-inbound-webhook', { assistant_id, webhook_url });
	const postCall = { is_webhook_active: true, webhook_url: `${receiver.url}/post` };
	await alice.put('/user/assistant/2', { ...fields, ...postCall });
}
const callIn = (own: Service = service, fields: JsonObject = {}) =>
	own.control.inbound({ assistant_id: 2, from: CALLER_PHONE_NUMBER, ...fields });
/** Somebody calls, and the call ends. @returns what the events say, and what came at the webhooks */
async function completeInbound(own: Service = service, fields: JsonObject = {}) {
	await callIn(own, fields);
	await own.control.advance(A_CALL);
	const events = await own.control.events({ kind: 'question-asked,question-answered' });
	const texts = events.map(({ level, text }) => `${level}: ${text.replace(/\d+ ms/, 'some ms')}`);
	const [question, report, ...others] = receiver.arrivals;
	expect(others).toEqual([]);
	return { texts: texts.reverse(), question, report };
}

describe('an inbound call', () => {
	it('waits for the answer, whose texts are variables of the call', async () => {
		await enableBoth();
		const release = Promise.withResolvers<undefined>();
		receiver.respondWith(({ path }, response) => {
			if (path === '/post') response.end();
			else void release.promise.then(() => response.end('{"customer_name":"Ada","open_order":""}'));
		});
		await callIn();
		await receiver.arrived(1);
		expect(await service.control.deliveries()).toMatchObject([{ state: 'pending' }]);
		expect(await service.control.calls()).toMatchObject([{ status: 'initiated' }]);
		release.resolve(undefined);
		await service.control.advance(A_CALL);
		const [question, report] = receiver.arrivals;
		expect(question).toMatchObject({ method: 'POST', path: '/inbound' });
		expect(question?.headers['content-type']).toBe('application/json');
		expect(question?.body).toEqual({
			customer_phone: CALLER_PHONE_NUMBER,
			assistant_phone: '+4915112345604',
		});
		expect(webhookViolations('inboundQuestion', question?.body)).toEqual([]);
		expect(receiver.arrivals.map(({ path }) => path)).toEqual(['/inbound', '/post']);
		expect(report?.body).toMatchObject({
			input_variables: { customer_name: 'Ada', open_order: '', plan: 'A' },
			formatted_transcript: expect.stringContaining('AI: Hello Ada!'),
		});
		const asked = await service.control.events({ kind: 'question-asked,question-answered' });
		expect(asked).toMatchObject([
			{
				...{ call_id: 1, delivery_id: 1, level: 'info' },
				text: expect.stringMatching(/ after \d+ ms\. Variables: customer_name, open_order\.$/),
			},
			{ call_id: 1, delivery_id: 1, text: expect.stringContaining(ASKED) },
		]);
		const { body } = await service.control.request('GET', '/records/calls/1');
		expect(body).toMatchObject({
			input_variables: { customer_name: 'Ada' },
			deliveries: [
				{ event: 'postCall', answer: null },
				{
					...{ event: 'inboundQuestion', state: 'delivered', body: question?.body },
					answer: { variables: { customer_name: 'Ada', open_order: '' } },
				},
			],
		});
	});

	it('whose number is suppressed is asked about too', async () => {
		await enableBoth();
		const { question } = await completeInbound(service, { from: undefined });
		expect(question?.body).toEqual({ customer_phone: null, assistant_phone: '+4915112345604' });
	});

	it.each<[status: number, body: string, reason: string]>([
		[500, '{"customer_name":"Ada"}', 'the receiver answered 500.'],
		[302, '', 'the receiver answered 302.'],
		[200, '', 'the answer is no JSON.'],
		[200, 'Workflow was started', 'the answer is no JSON.'],
		[200, '[{"customer_name":"Ada"}]', 'the answer is no JSON object.'],
		[200, 'null', 'the answer is no JSON object.'],
		[200, '{"a":"b","order":{"id":"1"}}', 'the answer has “order”, which is no text.'],
		[200, '{"a":"b","order":1}', 'the answer has “order”, which is no text.'],
		[200, `{"a":"${'x'.repeat(4096)}"}`, 'the answer is longer than 4096 characters.'],
	])('goes on without variables after %i %s', async (status, answer, reason) => {
		await enableBoth();
		receiver.respondWith(({ path }, response) => {
			if (path === '/post') response.end();
			else response.writeHead(status, { Location: '/inbound' }).end(answer);
		});
		const { texts, report } = await completeInbound();
		expect(texts).toEqual([
			expect.stringContaining(ASKED),
			`warning: The inbound webhook gave call 1 no variables: ${reason} The call goes on without them.`,
		]);
		expect(report?.body).toMatchObject({
			...{ status: 'completed', input_variables: { customer_name: 'you', plan: 'A' } },
			formatted_transcript: expect.stringContaining('AI: Hello you!'),
		});
		expect(await service.control.deliveries()).toMatchObject([
			{ event: 'inboundQuestion', state: 'failed', answer: { variables: null } },
			{ event: 'postCall', state: 'delivered' },
		]);
	});

	it('without variables in the answer goes on with what it has', async () => {
		await enableBoth();
		receiver.respond(200, '{}');
		const { texts } = await completeInbound();
		expect(texts.at(-1)).toBe(
			'info: The inbound webhook answered call 1 after some ms. Variables: none.',
		);
	});

	it('goes on without an answer that comes late', async () => {
		const assume = { 'inbound-webhook-timeout': 'PT0.05S' };
		await using own = await startOwnService({ service: 'current', assume });
		await enableBoth(own);
		receiver.respondWith(({ path }, response) => {
			if (path === '/post') response.end();
		});
		const { texts, report } = await completeInbound(own);
		expect(texts.at(-1)).toBe(
			'warning: The inbound webhook gave call 1 no variables: the receiver did not answer within 0.05 seconds. The call goes on without them.',
		);
		expect(report?.body).toMatchObject({ input_variables: { customer_name: 'you' } });
	});

	it('is asked about again after a restart, and after a snapshot', async () => {
		const options = { service: 'current', dataFile: join(folder(), 'state.db') } as const;
		receiver.respondWith(() => undefined);
		{
			await using first = await startOwnService(options);
			await enableBoth(first);
			await callIn(first);
			await receiver.arrived(1);
			await first.control.saveSnapshot('asked');
		}
		receiver.respond(200, '{"customer_name":"Ada"}');
		await using second = await startOwnService(options);
		await second.control.advance(A_CALL);
		await second.control.restoreSnapshot('asked');
		await second.control.advance(A_CALL);
		const report = { id: 1, input_variables: { customer_name: 'Ada', plan: 'A' } };
		expect(receiver.arrivals.map(({ path }) => path)).toEqual([
			...['/inbound', '/inbound', '/post', '/inbound', '/post'],
		]);
		expect(receiver.arrivals.at(2)?.body).toMatchObject(report);
		expect(receiver.arrivals.at(4)?.body).toMatchObject(report);
	});
});

it('no other call is asked about, and a question is not replayed', async () => {
	await enableBoth();
	receiver.respond(200, '{}');
	await completeInbound();
	const hook = { assistant_id: 1, webhook_url: `${receiver.url}/inbound` };
	await service.alice.post('/user/assistants/enable-inbound-webhook', hook);
	await service.control.outbound({ assistant_id: 1, to: CALLER_PHONE_NUMBER });
	await service.alice.post('/user/assistants/disable-inbound-webhook', { assistant_id: 2 });
	await callIn();
	await service.control.advance(A_CALL);
	expect(await service.control.events({ kind: 'question-asked' })).toMatchObject([{ call_id: 1 }]);
	const replay = await service.control.request('POST', '/deliveries/1/replay', {});
	expectResponse(replay, 422, {
		message: 'The delivery 1 is a question before a call, asked once.',
	});
});
