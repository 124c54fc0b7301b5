import { describe, expect, it } from '@jest/globals';
import {
	A_CALL,
	CALLER_PHONE_NUMBER,
	completeCall,
	enableWebhook,
	LEAD_PHONE_NUMBER,
} from './support/calls.mts';
import { asObject, webhookViolations, type JsonObject } from './support/contract.mts';
import { startOwnService } from './support/testService.mts';
import { ALICE } from './support/seed.mts';
import { UNFINISHED_STATUSES, serviceAndReceiver, getWebhooks } from './support/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const { outbound, inbound, enableInbound, newestCall, paths, only } = getWebhooks(
	service,
	receiver,
);

/** Assistant 1 calls lead 1, and the call ends. */
const call = (fields: JsonObject = {}) => completeCall(service, { lead_id: 1, ...fields });

describe('the post-call webhook', () => {
	it('is delivered when the call is over, not before, and once', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await outbound();
		for (const [span, arrived] of [
			['PT67.5S', 0],
			['PT0.5S', 1],
			['P1D', 1],
		] as const) {
			await service.control.advance(span);
			expect({ span, arrived: receiver.arrivals.length }).toEqual({ span, arrived });
		}
		expect(await newestCall()).toMatchObject({ status: 'completed' });
	});

	it('is a POST of JSON that keeps the contract and agrees with the call record and the lead', async () => {
		await enableWebhook(service.alice, 1, `${receiver.url}/calls?key=1`, {
			post_call_schema: [{ name: 'guests', type: 'number', description: 'How many guests' }],
		});
		const record = await call();
		const { method, path, headers, body } = only();
		expect([method, path]).toEqual(['POST', '/calls?key=1']);
		expect(headers['content-type']).toMatch(/^application\/json\b/);
		expect(webhookViolations('postCall', body)).toEqual([]);
		expect(record.variables).toEqual({ guests: expect.any(Number) });
		expect(JSON.stringify(only())).not.toContain(ALICE);
		expect(body).toEqual({
			id: record.id,
			customer_phone: LEAD_PHONE_NUMBER,
			assistant_phone: '+4915112345601',
			duration: record.duration,
			status: record.status,
			extracted_variables: record.variables,
			input_variables: { customer_name: 'Jane', city: 'Bonn' },
			transcript: record.transcript,
			recording_url: record.recording_url,
			created_at: expect.any(String),
			finished_at: expect.any(String),
			lead: expect.objectContaining({
				id: 1,
				phone_number: LEAD_PHONE_NUMBER,
				variables: { customer_name: 'Jane', city: 'Bonn' },
				status: 'completed',
			}),
			campaign: expect.objectContaining({ id: 1, name: 'Spring' }),
		});
		const [created, finished] = [body.created_at, body.finished_at].map((time) =>
			Date.parse(String(time)),
		);
		expect(created).toBe(Date.parse(`${String(record.created_at).replace(' ', 'T')}Z`));
		expect(finished).toBeGreaterThan(Number(created));
	});

	it('arrives at a receiver that closes its connection when a second request comes', async () => {
		const used = new WeakSet<object>();
		receiver.respondWith((_arrival, response) => {
			const { socket } = response;
			if (socket && used.has(socket)) socket.destroy();
			else response.end('ok');
			if (socket) used.add(socket);
		});
		await enableWebhook(service.alice, 1, receiver.url);
		for (let call = 0; call < 50; call += 1) await outbound();
		await service.control.advance(A_CALL);
		expect(receiver.arrivals).toHaveLength(50);
		const states = (await service.control.deliveries()).map(({ state }) => state);
		expect(new Set(states)).toEqual(new Set(['delivered']));
	});

	it('knows no lead and no campaign when the call had none', async () => {
		await enableWebhook(service.alice, 2, receiver.url);
		await inbound();
		await service.control.advance(A_CALL);
		expect(only().body).toMatchObject({
			customer_phone: CALLER_PHONE_NUMBER,
			assistant_phone: '+4915112345604',
			lead: null,
			campaign: null,
		});
	});

	const RECORDING = expect.stringMatching(/\/recordings\/call-\d+\.wav$/);
	it.each<[include: boolean, record: boolean, shown: JsonObject]>([
		[false, true, {}],
		[true, true, { recording_url: RECORDING }],
		[true, false, { recording_url: null }],
		[false, false, {}],
	])('recording included: %j, recorded: %j → %j', async (include, record, shown) => {
		await enableWebhook(service.alice, 1, receiver.url, {
			include_recording_in_webhook: include,
			record_call: record,
		});
		const { recording_url } = await call();
		expect(recording_url !== undefined).toBe(record);
		const { body } = only();
		expect('recording_url' in body ? { recording_url: body.recording_url } : {}).toEqual(shown);
		if (include) expect(body.recording_url).toBe(recording_url ?? null);
	});

	it.each(['answered', 'no-answer', 'busy', 'failed'])(
		'of a call that ended as %s is delivered, unless only completed ones are wanted',
		async (scenario) => {
			for (const send_webhook_only_on_completed of [false, true]) {
				receiver.clear();
				await enableWebhook(service.alice, 1, receiver.url, { send_webhook_only_on_completed });
				const { id, status, webhook_response } = await call({ scenario });
				expect(status).toBe(scenario === 'answered' ? 'completed' : scenario);
				if (scenario !== 'answered' && send_webhook_only_on_completed) {
					expect(receiver.arrivals).toEqual([]);
					expect(webhook_response).toEqual({});
				} else expect(only().body).toMatchObject({ id, status });
			}
		},
	);

	it.each([
		['POST', '/user/assistants/disable-webhook', { assistant_id: 1 }],
		['PUT', '/user/assistant/1', { is_webhook_active: false }],
		['PUT', '/user/assistant/1', { webhook_url: null }],
	])('%s %s %j during the call: it finishes, nothing is delivered', async (method, path, json) => {
		await enableWebhook(service.alice, 1, receiver.url);
		await outbound();
		await service.control.advance('PT1S');
		await service.alice.request(method, path, { json });
		await service.control.advance(A_CALL);
		expect(receiver.arrivals).toEqual([]);
		const record = await newestCall();
		expect(UNFINISHED_STATUSES).not.toContain(record.status);
		expect(record).toMatchObject({
			transcript: expect.stringMatching(/./),
			recording_url: expect.any(String),
			webhook_response: {},
		});
	});
});

describe('which webhooks report which calls', () => {
	it.each<[type: string, enabled: string[], expected: string[]]>([
		['inbound', ['/post', '/inbound'], ['/inbound', '/post']],
		['inbound', ['/post'], ['/post']],
		['inbound', ['/inbound'], ['/inbound']],
		['inbound', [], []],
		['outbound', ['/post', '/inbound'], ['/post']],
		['outbound', ['/post'], ['/post']],
		['outbound', ['/inbound'], []],
	])('%s call, with %j → %j', async (type, enabled, expected) => {
		const id = type === 'inbound' ? 2 : 1;
		if (enabled.includes('/post')) await enableWebhook(service.alice, id, `${receiver.url}/post`);
		if (enabled.includes('/inbound')) await enableInbound(`${receiver.url}/inbound`, id);
		await (type === 'inbound' ? inbound() : outbound());
		await service.control.advance(A_CALL);
		expect(paths().sort()).toEqual(expected);
		const record = await newestCall();
		for (const { path, body } of receiver.arrivals) {
			expect(webhookViolations(path === '/post' ? 'postCall' : 'inboundCall', body)).toEqual([]);
			expect(body.id).toBe(record.id);
		}
		const { webhook_response } = record;
		expect('status' in asObject(webhook_response, 'response')).toBe(enabled.includes('/post'));
	});

	it('by default the completed calls, with their recordings', async () => {
		const webhook = { is_webhook_active: true, webhook_url: receiver.url };
		await service.alice.put('/user/assistant/1', webhook);
		for (const scenario of ['no-answer', 'busy', 'voicemail', 'answered']) await call({ scenario });
		expect(receiver.arrivals.map(({ body }) => body)).toMatchObject([
			{ status: 'ended_by_assistant', recording_url: expect.stringMatching(/^http/) },
			{ status: 'completed', extracted_variables: { status: true, summary: expect.any(String) } },
		]);
	});

	it.each<[assume: JsonObject, ...told: string[]]>([
		[{}, '/inbound completed with recording'],
		[
			{ 'inbound-webhook-events': 'finished-without-options' },
			'/inbound busy without',
			'/inbound completed without',
		],
	])('the options of the other webhook hold, with %j: %s', async (assume, ...told) => {
		await using own = await startOwnService({ assume });
		await enableWebhook(own.alice, 2, `${receiver.url}/post`, {
			send_webhook_only_on_completed: true,
			include_recording_in_webhook: true,
		});
		const hook = { assistant_id: 2, webhook_url: `${receiver.url}/inbound` };
		await own.alice.post('/user/assistants/enable-inbound-webhook', hook);
		for (const scenario of ['busy', 'answered']) {
			await own.control.inbound({ assistant_id: 2, from: CALLER_PHONE_NUMBER, scenario });
			await own.control.advance(A_CALL);
		}
		const arrived = receiver.arrivals.map(({ path, body }) =>
			[path, body.status, 'recording_url' in body ? 'with recording' : 'without'].join(' '),
		);
		expect(arrived.sort()).toEqual([...told, '/post completed with recording']);
	});
});
