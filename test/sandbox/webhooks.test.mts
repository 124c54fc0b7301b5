import { describe, expect, it } from '@jest/globals';
import { A_CALL, enableWebhook } from '../support/sandbox/calls.mts';
import { asObject, webhookViolations, type JsonObject } from '../support/sandbox/contract.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import {
	CALLER_PHONE_NUMBER,
	UNFINISHED_STATUSES,
	LEAD_PHONE_NUMBER,
	serviceAndReceiver,
	webhooksOf,
} from '../support/sandbox/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const { outbound, inbound, enableInbound, newestCall, paths, only } = webhooksOf(service, receiver);

describe('the post-call webhook', () => {
	it('is delivered when the call is over, not before, and once', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await outbound();
		let second = 0;
		for (; UNFINISHED_STATUSES.includes(String((await newestCall()).status)); second += 1) {
			expect(receiver.arrivals).toEqual([]);
			expect(second).toBeLessThan(1800);
			await service.control.advance('PT1S');
		}
		expect(second).toBeGreaterThan(0);
		expect(receiver.arrivals).toHaveLength(1);
		await service.control.advance('P1D');
		expect(receiver.arrivals).toHaveLength(1);
	});

	it('is a POST of JSON that keeps the contract and agrees with the call record and the lead', async () => {
		await enableWebhook(service.alice, 1, `${receiver.url}/calls?key=1`);
		await outbound();
		await service.control.advance(A_CALL);
		const { method, path, headers, body } = only();
		const call = await newestCall();
		expect([method, path]).toEqual(['POST', '/calls?key=1']);
		expect(headers['content-type']).toMatch(/^application\/json\b/);
		expect(webhookViolations('postCall', body)).toEqual([]);
		expect(body).toEqual({
			id: call.id,
			customer_phone: LEAD_PHONE_NUMBER,
			assistant_phone: '+4915112345601',
			duration: call.duration,
			status: call.status,
			extracted_variables: call.variables,
			input_variables: { customer_name: 'Jane', city: 'Bonn' },
			transcript: call.transcript,
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
		expect(Date.parse(String(body.created_at))).toBe(
			Date.parse(`${String(call.created_at).replace(' ', 'T')}Z`),
		);
		expect(Date.parse(String(body.finished_at))).toBeGreaterThan(
			Date.parse(String(body.created_at)),
		);
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

	it('tells nobody the API token', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await outbound();
		await service.control.advance(A_CALL);
		expect(JSON.stringify(only())).not.toContain(ALICE);
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

	it('names what was extracted by post_call_schema, in the types asked for', async () => {
		await enableWebhook(service.alice, 1, receiver.url, {
			post_call_schema: [
				{ name: 'booked', type: 'bool', description: 'Whether booked' },
				{ name: 'guests', type: 'number', description: 'How many guests' },
				{ name: 'wish', type: 'string', description: 'What is wanted' },
			],
		});
		await outbound();
		await service.control.advance(A_CALL);
		expect(only().body.extracted_variables).toEqual({
			booked: expect.any(Boolean),
			guests: expect.any(Number),
			wish: expect.any(String),
		});
	});

	it.each([
		{ include: false, record: true, expected: {} },
		{
			include: true,
			record: true,
			expected: { recording_url: expect.stringMatching(/\/recordings\/call-\d+\.wav$/) },
		},
		{ include: true, record: false, expected: { recording_url: null } },
		{ include: false, record: false, expected: {} },
	])(
		'recording included: $include, recorded: $record → $expected',
		async ({ include, record, expected }) => {
			await enableWebhook(service.alice, 1, receiver.url, {
				include_recording_in_webhook: include,
				record_call: record,
			});
			await outbound();
			await service.control.advance(A_CALL);
			const call = await newestCall();
			expect('recording_url' in call).toBe(record);
			const { body } = only();
			const shown = 'recording_url' in body ? { recording_url: body.recording_url } : {};
			expect(shown).toEqual(expected);
			if (include) expect(body.recording_url).toBe(call.recording_url ?? null);
		},
	);

	it.each([
		{ scenario: 'answered', onlyCompleted: false, delivered: 1 },
		{ scenario: 'answered', onlyCompleted: true, delivered: 1 },
		{ scenario: 'no-answer', onlyCompleted: false, delivered: 1 },
		{ scenario: 'no-answer', onlyCompleted: true, delivered: 0 },
		{ scenario: 'busy', onlyCompleted: false, delivered: 1 },
		{ scenario: 'busy', onlyCompleted: true, delivered: 0 },
		{ scenario: 'failed', onlyCompleted: false, delivered: 1 },
		{ scenario: 'failed', onlyCompleted: true, delivered: 0 },
	])(
		'$scenario, only on completed: $onlyCompleted → $delivered',
		async ({ scenario, onlyCompleted, delivered }) => {
			await enableWebhook(service.alice, 1, receiver.url, {
				send_webhook_only_on_completed: onlyCompleted,
			});
			await outbound({ scenario });
			await service.control.advance(A_CALL);
			const call = await newestCall();
			expect(receiver.arrivals).toHaveLength(delivered);
			if (delivered === 1) expect(only().body).toMatchObject({ id: call.id, status: call.status });
			if (delivered === 0) expect(call.webhook_response).toEqual({});
			if (scenario !== 'answered') expect(call.status).toBe(scenario);
		},
	);

	it.each<[string, JsonObject | 'disable']>([
		['disable webhook', 'disable'],
		['is_webhook_active false', { is_webhook_active: false }],
		['webhook_url null', { webhook_url: null }],
	])('%s during the call: the call finishes, nothing is delivered', async (_what, change) => {
		await enableWebhook(service.alice, 1, receiver.url);
		await outbound();
		await service.control.advance('PT1S');
		if (change === 'disable')
			await service.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
		else await service.alice.put('/user/assistant/1', change);
		await service.control.advance(A_CALL);
		expect(receiver.arrivals).toEqual([]);
		const call = await newestCall();
		expect(UNFINISHED_STATUSES).not.toContain(call.status);
		expect(call).toMatchObject({
			transcript: expect.stringMatching(/./),
			recording_url: expect.any(String),
			webhook_response: {},
		});
	});

	it('goes to the URL that is set when the call ends', async () => {
		await enableWebhook(service.alice, 1, `${receiver.url}/old`);
		await outbound();
		await service.control.advance('PT1S');
		await enableWebhook(service.alice, 1, `${receiver.url}/new`);
		await service.control.advance(A_CALL);
		expect(paths()).toEqual(['/new']);
	});
});

describe('which webhooks report which calls', () => {
	it.each([
		{ call: 'inbound', post: true, inboundHook: true, expected: ['/inbound', '/post'] },
		{ call: 'inbound', post: true, inboundHook: false, expected: ['/post'] },
		{ call: 'inbound', post: false, inboundHook: true, expected: ['/inbound'] },
		{ call: 'inbound', post: false, inboundHook: false, expected: [] },
		{ call: 'outbound', post: true, inboundHook: true, expected: ['/post'] },
		{ call: 'outbound', post: true, inboundHook: false, expected: ['/post'] },
		{ call: 'outbound', post: false, inboundHook: true, expected: [] },
	])(
		'$call call, post-call $post, inbound $inboundHook → $expected',
		async ({ call, post, inboundHook, expected }) => {
			const assistant_id = call === 'inbound' ? 2 : 1;
			if (post) await enableWebhook(service.alice, assistant_id, `${receiver.url}/post`);
			if (inboundHook) await enableInbound(`${receiver.url}/inbound`, assistant_id);
			await (call === 'inbound' ? inbound() : outbound());
			await service.control.advance(A_CALL);
			expect(paths().sort()).toEqual(expected);
			for (const { path, body } of receiver.arrivals) {
				expect(webhookViolations(path === '/post' ? 'postCall' : 'inboundCall', body)).toEqual([]);
				expect(body.id).toBe((await newestCall()).id);
			}
			expect('status' in asObject((await newestCall()).webhook_response, 'webhook_response')).toBe(
				post,
			);
		},
	);

	it('both options hold for the inbound webhook too', async () => {
		await service.alice.put('/user/assistant/2', {
			send_webhook_only_on_completed: true,
			include_recording_in_webhook: true,
		});
		await enableInbound(receiver.url);
		await inbound({ scenario: 'busy' });
		await service.control.advance(A_CALL);
		expect(receiver.arrivals).toEqual([]);
		await inbound();
		await service.control.advance(A_CALL);
		expect(only().body.recording_url).toBe((await newestCall()).recording_url);
	});

	it('neither option holds for the inbound webhook when that is assumed', async () => {
		await using own = await startOwnService({
			assume: { 'inbound-webhook-events': { options_apply: false } },
		});
		await enableWebhook(own.alice, 2, `${receiver.url}/post`, {
			send_webhook_only_on_completed: true,
			include_recording_in_webhook: true,
		});
		await own.alice.post('/user/assistants/enable-inbound-webhook', {
			assistant_id: 2,
			webhook_url: `${receiver.url}/inbound`,
		});
		for (const scenario of ['busy', 'answered']) {
			await own.control.inbound({ assistant_id: 2, from: CALLER_PHONE_NUMBER, scenario });
			await own.control.advance(A_CALL);
		}
		const told = receiver.arrivals.map(({ path, body }) =>
			[path, body.status, 'recording_url' in body ? 'with recording' : 'without'].join(' '),
		);
		expect(told.sort()).toEqual([
			'/inbound busy without',
			'/inbound completed without',
			'/post completed with recording',
		]);
	});

	it('an inbound webhook disabled during the call is not called', async () => {
		await enableInbound(receiver.url);
		await inbound();
		await service.control.advance('PT1S');
		await service.alice.post('/user/assistants/disable-inbound-webhook', { assistant_id: 2 });
		await service.control.advance(A_CALL);
		expect(receiver.arrivals).toEqual([]);
		expect(UNFINISHED_STATUSES).not.toContain((await newestCall()).status);
	});

	it('a failing inbound webhook does not keep the post-call webhook from arriving', async () => {
		receiver.respondWith(({ path }, response) =>
			response.writeHead(path === '/inbound' ? 500 : 200).end(),
		);
		await enableWebhook(service.alice, 2, `${receiver.url}/post`);
		await enableInbound(`${receiver.url}/inbound`);
		await inbound();
		await service.control.advance(A_CALL);
		expect(paths().sort()).toEqual(['/inbound', '/post']);
		expect((await newestCall()).webhook_response).toMatchObject({ status: 200 });
	});
});
