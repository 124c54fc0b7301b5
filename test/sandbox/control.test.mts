import { get as httpGet } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { A_CALL, assistantRecord, callsOf, enableWebhook } from '../support/sandbox-calls.mts';
import { answerOf, idOf } from '../support/sandbox-client.mts';
import { asObject, operations } from '../support/sandbox-contract.mts';
import { startReceiver, type Receiver } from '../support/sandbox-receiver.mts';
import { startService, type Service } from '../support/sandbox-service.mts';
import { ALICE, newAssistant, newTool } from '../support/sandbox-world.mts';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
	[service, receiver] = await Promise.all([startService(), startReceiver()]);
});
beforeEach(async () => {
	receiver.forget();
	await service.reset();
});
afterAll(() => Promise.all([service.close(), receiver.close()]));

describe('who may use the control API', () => {
	const statusFor = (host: string, path = '/__sandbox/health'): Promise<number> =>
		new Promise((resolve, reject) => {
			const { hostname, port } = new URL(service.url);
			httpGet(
				{ hostname, port, path, headers: { Host: host, Authorization: `Bearer ${ALICE}` } },
				(response) => {
					response.resume();
					resolve(response.statusCode ?? 0);
				},
			).on('error', reject);
		});

	it.each(['127.0.0.1', '127.0.0.1:4010', 'localhost', 'localhost:4010', '[::1]:4010'])(
		'a request to %s may',
		async (host) => {
			expect(await statusFor(host)).toBe(200);
		},
	);

	it.each([
		'example.com',
		'sandbox.example.com:4010',
		'127.0.0.1.example.com',
		'localhost.example.com',
		'10.0.0.1',
		'0.0.0.0',
		'169.254.169.254',
	])('a request to %s may not (a web page could make a browser send it)', async (host) => {
		expect(await statusFor(host)).toBe(403);
	});

	it.each(['https://example.com', 'http://127.0.0.1.example.com', 'null'])(
		'a web page of %s may not',
		async (origin) => {
			const answer = await answerOf(`${service.controlUrl}/reset`, {
				method: 'POST',
				headers: { Origin: origin },
			});
			expect([answer.status, answer.body]).toEqual([403, { message: expect.stringMatching(/\w/) }]);
		},
	);

	it('the service itself does not mind the host', async () => {
		expect(await statusFor('sandbox.example.com', '/api/user/calls')).toBe(200);
	});

	it('needs no token', async () => {
		expect((await service.control.request('GET', '/health')).status).toBe(200);
	});
});

describe('what is not right is refused in words', () => {
	it.each<[string, string, unknown]>([
		['POST', '/clock', { mode: 'sundial' }],
		['POST', '/clock', { advance: 'a minute' }],
		['POST', '/clock', { advance: '-PT1M' }],
		['POST', '/clock', { advance: 60 }],
		['POST', '/clock', []],
		['POST', '/faults', { operation: 'makeCoffee', status: 500, times: 1 }],
		['POST', '/faults', { status: 'bad', times: 1 }],
		['POST', '/faults', { status: 99, times: 1 }],
		['POST', '/faults', { status: 500, times: -1 }],
		['POST', '/faults', { drop: 'sometimes', times: 1 }],
		['POST', '/faults', { delay_ms: -5, times: 1 }],
		['POST', '/faults', { delay_ms: 3_600_000, times: 1 }],
		['POST', '/faults', { status: 500, headers: { 'bad header': 'x' } }],
		['POST', '/calls/inbound', {}],
		['POST', '/calls/outbound', {}],
		['GET', '/nothing', undefined],
	])('%s %s %j', async (method, path, body) => {
		const answer = await service.control.request(method, path, body);
		expect(answer.status).toBeGreaterThanOrEqual(400);
		expect(answer.status).toBeLessThan(500);
		expect(answer.body).toMatchObject({ message: expect.stringMatching(/\w/) });
		expect((await service.control.request('GET', '/health')).status).toBe(200);
	});
});

describe('faults', () => {
	const calls = () => service.alice.request('GET', '/user/calls', { distorted: true });
	const createTool = () =>
		service.alice.request('POST', '/user/tools', { json: newTool, distorted: true });

	it('status, body and headers, as often as asked for, and then the service is itself again', async () => {
		await service.control.fault({
			operation: 'listCalls',
			status: 429,
			body: { message: 'Too Many Attempts.', retry_after: 7 },
			headers: { 'Retry-After': '7' },
			times: 2,
		});
		for (const status of [429, 429, 200]) {
			const answer = await calls();
			expect(answer.status).toBe(status);
			expect(answer.headers.get('retry-after')).toBe(status === 429 ? '7' : null);
			if (status === 429)
				expect(answer.body).toEqual({ message: 'Too Many Attempts.', retry_after: 7 });
		}
	});

	it('hit the named operation only', async () => {
		await service.control.fault({ operation: 'createTool', status: 503, times: 1 });
		expect((await calls()).status).toBe(200);
		expect((await createTool()).status).toBe(503);
		expect((await createTool()).status).toBe(201);
	});

	it('without an operation hit all of them', async () => {
		await service.control.fault({ status: 503, times: operations.length });
		for (const { method, path } of operations) {
			const answer = await service.alice.request(method, path.replace('{id}', '1'), {
				distorted: true,
				...(method === 'GET' ? {} : { json: {} }),
			});
			expect(answer.status).toBe(503);
		}
		expect((await calls()).status).toBe(200);
	});

	it('with a status alone are answered in the service’s shape', async () => {
		for (const status of [400, 401, 403, 404, 422, 429, 500, 503]) {
			await service.control.fault({ operation: 'listCalls', status, times: 1 });
			const answer = await calls();
			expect(answer.status).toBe(status);
			expect(answer.body).toMatchObject({ message: expect.stringMatching(/\w/) });
		}
	});

	it('an HTML page', async () => {
		const page = '<html><h1>Bad Gateway</h1></html>';
		await service.control.fault({
			operation: 'listCalls',
			status: 502,
			body: page,
			headers: { 'Content-Type': 'text/html' },
			times: 1,
		});
		const answer = await calls();
		expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
			502,
			page,
			expect.stringContaining('text/html'),
		]);
	});

	it('an HTML page with status 200', async () => {
		await service.control.fault({
			operation: 'listCalls',
			status: 200,
			body: '<html></html>',
			headers: { 'Content-Type': 'text/html' },
			times: 1,
		});
		const answer = await calls();
		expect([answer.status, answer.text]).toEqual([200, '<html></html>']);
	});

	it('an empty body', async () => {
		await service.control.fault({ operation: 'listCalls', status: 200, body: '', times: 1 });
		const answer = await calls();
		expect([answer.status, answer.text]).toEqual([200, '']);
	});

	it('a redirect', async () => {
		await service.control.fault({
			operation: 'listCalls',
			status: 302,
			headers: { Location: `${receiver.url}/elsewhere` },
			times: 1,
		});
		const answer = await calls();
		expect([answer.status, answer.headers.get('location')]).toEqual([
			302,
			`${receiver.url}/elsewhere`,
		]);
	});

	it('a refused write is not carried out', async () => {
		await service.control.fault({ operation: 'createTool', status: 500, times: 1 });
		await createTool();
		for (let free = 0; free < 3; free += 1) expect((await createTool()).status).toBe(201);
	});

	it('a delay lets the answer come later, and as it is', async () => {
		await service.control.fault({ operation: 'listCalls', delay_ms: 150, times: 1 });
		const begin = performance.now();
		expect((await calls()).status).toBe(200);
		expect(performance.now() - begin).toBeGreaterThanOrEqual(145);
	});

	it('a connection closed before: nothing was done', async () => {
		await service.control.fault({ operation: 'createTool', drop: 'before', times: 1 });
		await expect(createTool()).rejects.toThrow();
		for (let free = 0; free < 3; free += 1) expect((await createTool()).status).toBe(201);
		expect((await createTool()).status).toBe(422);
	});

	it('a connection closed after: it was done, though nobody was told', async () => {
		await service.control.fault({ operation: 'createTool', drop: 'after', times: 1 });
		await expect(createTool()).rejects.toThrow();
		for (let free = 0; free < 2; free += 1) expect((await createTool()).status).toBe(201);
		expect((await createTool()).status).toBe(422);
	});

	it('hit one request unless told otherwise, and drop: true is drop: before', async () => {
		await service.control.fault({ operation: 'createTool', drop: true });
		await expect(createTool()).rejects.toThrow();
		for (let free = 0; free < 3; free += 1) expect((await createTool()).status).toBe(201);
		expect((await createTool()).status).toBe(422);
	});

	it('can be seen until they are used up', async () => {
		await service.control.fault({ operation: 'listCalls', status: 500, times: 1 });
		expect((await service.control.request('GET', '/faults')).text).toContain('listCalls');
		await calls();
		expect((await service.control.request('GET', '/faults')).text).not.toContain('listCalls');
	});

	it('can be taken back', async () => {
		await service.control.fault({ status: 500, times: 100 });
		expect((await calls()).status).toBe(500);
		await service.control.clearFaults();
		expect((await calls()).status).toBe(200);
	});

	it('follow each other in the order they were given', async () => {
		await service.control.fault({ operation: 'listCalls', status: 500, times: 1 });
		await service.control.fault({ operation: 'listCalls', status: 429, times: 1 });
		expect([(await calls()).status, (await calls()).status, (await calls()).status]).toEqual([
			500, 429, 200,
		]);
	});

	it('do not hit the control API', async () => {
		await service.control.fault({ status: 500, times: 1 });
		expect((await service.control.request('GET', '/health')).status).toBe(200);
		expect((await calls()).status).toBe(500);
	});
});

describe('the journal of requests', () => {
	const calls = () => service.alice.request('GET', '/user/calls', { distorted: true });

	it('has every request to the service with its status, oldest first, and no token', async () => {
		await service.alice.get('/user/calls', { per_page: 3 });
		await service.alice.post('/user/tools', newTool);
		await service.alice.put('/user/tools/999', {});
		await answerOf(`${service.url}/user/calls`, {
			headers: { Authorization: 'Bearer mistyped-secret' },
		});
		await service.alice.request('GET', '/nothing');
		const journal = await service.control.requests();
		expect(journal.map(({ method, status }) => [method, status])).toEqual([
			['GET', 200],
			['POST', 201],
			['PUT', 404],
			['GET', 401],
			['GET', 404],
		]);
		const text = JSON.stringify(journal);
		expect(text).toContain('/user/calls');
		expect(text).toContain('get_weather');
		expect(text).not.toContain(ALICE);
		expect(text).not.toContain('mistyped-secret');
	});

	it('has the requests that a fault hit, too', async () => {
		await service.control.fault({ operation: 'listCalls', status: 500, times: 1 });
		await service.alice.request('GET', '/user/calls', { distorted: true });
		await service.control.fault({ operation: 'listCalls', drop: 'before', times: 1 });
		await expect(
			service.alice.request('GET', '/user/calls', { distorted: true }),
		).rejects.toThrow();
		const journal = await service.control.requests();
		expect(journal).toHaveLength(2);
		expect(journal[0]).toMatchObject({ method: 'GET', status: 500 });
	});

	it('says of each request what came in, from whom, and what became of it', async () => {
		await service.alice.get('/user/calls', { per_page: 3 });
		await service.alice.put('/user/tools/1', { timeout: 3 });
		await service.bob.get('/user/calls');
		const [list, update, bobs] = await service.control.requests();
		expect(list).toMatchObject({
			method: 'GET',
			path: expect.stringContaining('/user/calls'),
			query: { per_page: '3' },
			operation: 'listCalls',
			in_flight: 1,
			status: 200,
		});
		expect(update).toMatchObject({
			operation: 'updateTool',
			body: { timeout: 3 },
			status: 200,
			user: list?.user,
		});
		expect(bobs?.user).not.toBe(list?.user);
	});

	it('counts the requests that are answered at the same time', async () => {
		await service.control.fault({ operation: 'listCalls', delay_ms: 200, times: 5 });
		await Promise.all(Array.from({ length: 5 }, calls));
		const most = (await service.control.requests()).map((request) => Number(request.in_flight));
		expect(Math.max(...most)).toBe(5);
	});

	it('does not have control requests', async () => {
		await service.control.request('GET', '/health');
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('reset', () => {
	it.each(['the function', 'the route'])('by %s restores everything', async (way) => {
		const fresh = {
			assistants: (await service.alice.get('/user/assistants/get')).body,
			bobs: (await service.bob.get('/user/assistants/get')).body,
			calls: (await service.alice.get('/user/calls')).body,
		};
		const { alice, control } = service;
		const firstTool = idOf(await alice.post('/user/tools', newTool));
		await alice.post('/user/assistant', newAssistant);
		await alice.put('/user/tools/1', { timeout: 3 });
		await alice.post('/user/lead', { campaign_id: 2, phone_number: '+4915112345699' });
		await alice.put('/user/leads/1', { phone_number: '+4915112345698' });
		for (let sent = 0; sent < 125; sent += 1)
			await alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hi' });
		await enableWebhook(alice, 1, receiver.url);
		await alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
		await control.advance(A_CALL);
		await control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await control.advance('PT1S');
		await control.fault({ status: 500, times: 100 });

		if (way === 'the function') await service.reset();
		else expect((await control.request('POST', '/reset')).status).toBeLessThan(300);

		expect(await control.requests()).toEqual([]);
		expect(await control.deliveries()).toEqual([]);
		expect((await alice.get('/user/assistants/get')).body).toEqual(fresh.assistants);
		expect((await service.bob.get('/user/assistants/get')).body).toEqual(fresh.bobs);
		expect((await alice.get('/user/calls')).body).toEqual(fresh.calls);
		const duplicate = await alice.post('/user/lead', {
			campaign_id: 1,
			phone_number: '+4915112345611',
		});
		expect(duplicate.status).toBe(422);
		expect(
			(await alice.post('/user/lead', { campaign_id: 2, phone_number: '+4915112345699' })).status,
		).toBe(200);
		expect(
			(await alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hi' })).status,
		).toBe(200);
		const tool = await alice.post('/user/tools', newTool);
		expect(idOf(tool)).toBe(firstTool);
		expect(tool.text).toContain('2026-03-02T09:00:00.000000Z');

		// The campaign is not started, and neither the call nor its webhook has survived.
		receiver.forget();
		await control.advance('P1D');
		expect(receiver.arrivals).toEqual([]);
		expect(await callsOf(alice)).toEqual([]);
	});
});

describe('the clock', () => {
	const age = async (own: Service) => {
		const record = await assistantRecord(
			own.alice,
			idOf(await own.alice.post('/user/assistant', newAssistant)),
		);
		return Date.parse(String(record.created_at));
	};

	it('manual: does not move by itself, and moves exactly as far as it is told', async () => {
		const first = await age(service);
		expect(first).toBe(Date.parse('2026-03-02T09:00:00Z'));
		expect(await age(service)).toBe(first);
		await service.control.advance('PT1M30S');
		expect(await age(service)).toBe(first + 90_000);
		await service.control.advance('P1DT1H');
		expect(await age(service)).toBe(first + 90_000 + 25 * 3_600_000);
	});

	it('says what it did, and what time it is', async () => {
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		const advanced = await service.control.request('POST', '/clock', { advance: A_CALL });
		expect(advanced.body).toEqual({
			now: expect.any(String),
			mode: 'manual',
			ran: expect.any(Number),
		});
		const health = await service.control.request('GET', '/health');
		expect(health.body).toMatchObject({ status: 'ok', mode: 'manual' });
		for (const { body } of [advanced, health]) {
			expect(Date.parse(String(asObject(body, 'body').now))).toBe(
				Date.parse('2026-03-02T09:30:00Z'),
			);
		}
		expect(asObject(advanced.body, 'body').ran).toBeGreaterThan(0);
		const nothing = await service.control.request('POST', '/clock', { advance: 'PT1S' });
		expect(nothing.body).toMatchObject({ ran: 0 });
	});

	it.each(['real', 'accelerated'] as const)(
		'%s: an advance moves it, too, and answers when all is done',
		async (mode) => {
			const own = await startService({ clock: { mode } });
			try {
				await enableWebhook(own.alice, 1, receiver.url);
				await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
				await own.control.advance(A_CALL);
				expect(receiver.arrivals).toHaveLength(1);
				expect((await callsOf(own.alice))[0]?.webhook_response).toMatchObject({ status: 200 });
			} finally {
				await own.close();
			}
		},
	);

	it('manual: an advance answers only when the deliveries are done and their results stored', async () => {
		receiver.respondWith((_arrival, response) => {
			const someTimeLater = service.control.request('GET', '/health');
			void someTimeLater.then(() => response.writeHead(202).end('late'));
		});
		await enableWebhook(service.alice, 1, receiver.url);
		for (let call = 0; call < 3; call += 1)
			await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await service.control.advance(A_CALL);
		expect(receiver.arrivals).toHaveLength(3);
		for (const call of await callsOf(service.alice))
			expect(call.webhook_response).toMatchObject({ status: 202 });
	});

	it('manual: one large step is the same as many small ones', async () => {
		const play = async (steps: string[]) => {
			await service.reset();
			await enableWebhook(service.alice, 1, receiver.url);
			await service.control.outbound({
				assistant_id: 1,
				to: '+4915112345611',
				scenario: 'answered',
			});
			await service.alice.post('/user/campaigns/update-status', {
				campaign_id: 1,
				action: 'start',
			});
			for (const step of steps) await service.control.advance(step);
			return callsOf(service.alice);
		};
		const large = await play(['PT1H']);
		const small = await play(Array.from({ length: 120 }, () => 'PT30S'));
		expect(small).toEqual(large);
	});

	it('accelerated: moves by itself, a call ends soon', async () => {
		const own = await startService({ clock: { mode: 'accelerated', speed: 1000 } });
		try {
			await enableWebhook(own.alice, 1, receiver.url);
			await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
			await receiver.arrived(1);
			expect(receiver.arrivals[0]?.body.status).toMatch(/completed|ended/);
		} finally {
			await own.close();
		}
	});

	it('real: starts at the present, and a call is still going on at once', async () => {
		const own = await startService({ clock: { mode: 'real' } });
		try {
			expect(Math.abs((await age(own)) - Date.now())).toBeLessThan(5_000);
			await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
			expect((await callsOf(own.alice))[0]?.status).toBe('initiated');
		} finally {
			await own.close();
		}
	});

	it('can change its mode: what is under way goes on', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		const answer = await service.control.request('POST', '/clock', { mode: 'accelerated' });
		expect(answer.status).toBeLessThan(300);
		await receiver.arrived(1, 15_000);
		expect(
			(await service.control.request('POST', '/clock', { mode: 'manual' })).status,
		).toBeLessThan(300);
		const stopped = await age(service);
		expect(await age(service)).toBe(stopped);
	});
});

describe('the rate limit', () => {
	it('is off by default', async () => {
		const statuses = await Promise.all(
			Array.from({ length: 150 }, async () => (await service.alice.get('/user/calls')).status),
		);
		expect(new Set(statuses)).toEqual(new Set([200]));
	});

	it('when switched on: 429 with Retry-After, per user, until the time has passed', async () => {
		const own = await startService({ assume: { 'rate-limit': { requests: 3, per: 'PT1M' } } });
		try {
			for (let request = 0; request < 3; request += 1)
				expect((await own.alice.get('/user/calls')).status).toBe(200);
			const answer = await own.alice.get('/user/calls');
			expect(answer.status).toBe(429);
			const wait = Number(answer.headers.get('retry-after'));
			expect(answer.body).toEqual({ message: 'Too Many Attempts.', retry_after: wait });
			expect(wait).toBeGreaterThan(0);
			expect(wait).toBeLessThanOrEqual(60);
			expect((await own.bob.get('/user/calls')).status).toBe(200);
			await own.control.advance(`PT${wait}S`);
			expect((await own.alice.get('/user/calls')).status).toBe(200);
		} finally {
			await own.close();
		}
	});
});

describe('assumptions can be overridden', () => {
	it.each<[string, unknown, (own: Service) => Promise<unknown>, unknown]>([
		[
			'tool-quota-message',
			'No more than {quota}.',
			async (own) => {
				for (let tool = 0; tool < 3; tool += 1) await own.alice.post('/user/tools', newTool);
				return (await own.alice.post('/user/tools', newTool)).body;
			},
			{ message: 'No more than 5.' },
		],
		[
			'phone-number-formats',
			{ default_country: 'DE' },
			async (own) =>
				(await own.alice.post('/user/lead', { campaign_id: 1, phone_number: '0151 12345699' }))
					.status,
			200,
		],
		[
			'assistant-status',
			'inactive',
			async (own) => (await own.alice.post('/user/assistant', newAssistant)).body,
			expect.objectContaining({ data: expect.objectContaining({ status: 'inactive' }) }),
		],
		[
			'request-size-limit',
			100,
			async (own) =>
				(await own.alice.post('/user/tools', { ...newTool, note: 'x'.repeat(100) })).status,
			413,
		],
		[
			'campaign-status',
			{ initial: 'draft', start: 'running', stop: 'paused' },
			async (own) =>
				(await own.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' }))
					.body,
			expect.objectContaining({ data: { campaign_id: 1, status: 'running' } }),
		],
	])('%s = %j', async (key, value, ask, expected) => {
		const own = await startService({ assume: { [key]: value } });
		try {
			expect(await ask(own)).toEqual(expected);
		} finally {
			await own.close();
		}
	});

	it('an assumption that does not exist is refused by name', async () => {
		await expect(startService({ assume: { weather: 'fine' } })).rejects.toThrow('weather');
	});
});
