import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { A_CALL, callsOf, enableWebhook } from '../support/sandbox/calls.mts';
import { sendRequest, idOf } from '../support/sandbox/client.mts';
import { asObject, objectsOf } from '../support/sandbox/contract.mts';
import { folderPerTest } from '../support/sandbox/process.mts';
import { BOB, newAssistant, newTool } from '../support/sandbox/seed.mts';
import { expectResponse } from '../support/sandbox/responses.mts';
import { startService } from '../support/sandbox/service.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { serviceAndReceiver } from '../support/sandbox/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const folder = folderPerTest();

/** Storing so many calls takes seconds, and more on a busy machine. */
const TRAFFIC_LIMIT_MS = 60_000;

describe('who may use the control API', () => {
	it.each(['https://example.com', 'http://127.0.0.1.example.com', 'null'])(
		'a web page of %s may not',
		async (origin) => {
			const response = await sendRequest(`${service.controlUrl}/reset`, {
				method: 'POST',
				headers: { Origin: origin },
			});
			expectResponse(response, 403, { message: expect.stringMatching(/\w/) });
		},
	);

	it('needs no token', async () => {
		expect((await service.control.request('GET', '/health')).status).toBe(200);
	});
});

it('a reset is refused with a body that is not sent as JSON', async () => {
	const body = '{}';
	const headers = { 'Content-Type': 'text/plain' };
	const init = { method: 'POST', headers, body };
	expect((await sendRequest(`${service.controlUrl}/reset`, init)).status).toBe(415);
});

describe('what is not right is refused in words', () => {
	it.each<[string, string, unknown]>([
		['POST', '/clock', { mode: 'sundial' }],
		['POST', '/clock', { mode: 'accelerated', speed: -1 }],
		['POST', '/clock', { advance: 'a minute' }],
		['POST', '/clock', { advance: '-PT1M' }],
		['POST', '/clock', { advance: 60 }],
		['POST', '/clock', { until_idle: false }],
		['POST', '/clock', { until_idle: true, advance: 'PT1M' }],
		['POST', '/clock', []],
		['POST', '/faults', { operation: 'makeCoffee', status: 500, times: 1 }],
		['POST', '/faults', { status: 'bad', times: 1 }],
		['POST', '/faults', { status: 99, times: 1 }],
		['POST', '/faults', { status: 500, times: -1 }],
		['POST', '/faults', { drop: 'sometimes', times: 1 }],
		['POST', '/faults', { delay_ms: -5, times: 1 }],
		['POST', '/faults', { delay_ms: 3_600_000, times: 1 }],
		['POST', '/faults', { status: 500, headers: { 'bad header': 'x' } }],
		['POST', '/faults', {}],
		['POST', '/faults', { status: 500, probability: 0 }],
		['POST', '/faults', { status: 500, probability: 1.5 }],
		['POST', '/faults', { probability: 0.5 }],
		['POST', '/faults', { operation: 'listCalls', times: 3 }],
		['POST', '/faults', { headers: { 'Retry-After': '1' } }],
		['POST', '/faults', { drop: false, delay_ms: 0 }],
		['POST', '/calls/inbound', {}],
		['POST', '/calls/outbound', {}],
		['GET', '/nothing', undefined],
	])('%s %s %j', async (method, path, body) => {
		const response = await service.control.request(method, path, body);
		expect(response.status).toBeGreaterThanOrEqual(400);
		expect(response.status).toBeLessThan(500);
		expect(response.body).toMatchObject({ message: expect.stringMatching(/\w/) });
		expect((await service.control.request('GET', '/health')).status).toBe(200);
	});
});

describe('what the sandbox shows', () => {
	it('the calls and SMS of all users', async () => {
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await service.control.outbound({ assistant_id: 101, to: '+33612345611' });
		for (const [user, from] of [
			[service.alice, 1],
			[service.bob, 101],
		] as const) {
			await user.post('/user/sms', { from, to: '+4915112345699', body: `From ${from}` });
		}
		const calls = await service.control.request('GET', '/calls');
		expect(calls.text).toContain('+4915112345611');
		expect(calls.text).toContain('+33612345611');
		const messages = await service.control.request('GET', '/messages');
		expect(messages.text).toContain('From 1');
		expect(messages.text).toContain('From 101');
	});

	it('the last of them only, where that is asked for, and those before', async () => {
		for (const to of ['+4915112345611', '+4915112345612', '+4915112345613']) {
			await service.control.outbound({ assistant_id: 1, to });
		}
		const last = await service.control.request('GET', '/calls?last=2');
		expect(last.body).toMatchObject({ data: [{ id: 2 }, { id: 3 }], more: true, total: 3 });
		const before = await service.control.request('GET', '/calls?last=2&before=2');
		expect(before.body).toMatchObject({ data: [{ id: 1 }], more: false, total: 3 });
	});

	it(
		'ten thousand of them at once, and all to whoever asks for those before',
		async () => {
			await using own = await startOwnService({ traffic: 10_001 });
			const { body } = await own.control.request('GET', '/calls');
			const { data, ...rest } = asObject(body, 'body');
			expect(rest).toEqual({ more: true, total: 10_001 });
			expect(objectsOf(data)).toHaveLength(10_000);
			expect(objectsOf(data)[0]).toMatchObject({ id: 2 });
			const calls = await own.control.calls();
			expect(calls.map(({ id }) => id)).toEqual(calls.map((_call, index) => index + 1));
			expect(calls).toHaveLength(10_001);
		},
		TRAFFIC_LIMIT_MS,
	);

	it('a page that needs nothing from elsewhere', async () => {
		const page = await service.control.request('GET', '/');
		expect(page.status).toBe(200);
		expect(page.headers.get('content-type')).toMatch(/^text\/html\b/);
		expect(page.text).toMatch(/<html/i);
		expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
	});

	it('that the root of the server leads to, for GET only', async () => {
		const { origin } = new URL(service.controlUrl);
		const root = await sendRequest(`${origin}/`);
		expect(root.status).toBe(303);
		expect(root.headers.get('location')).toBe('/__sandbox/');
		expect((await sendRequest(`${origin}/`, { method: 'POST', body: '{}' })).status).toBe(404);
		expect((await sendRequest(`${origin}/user/calls`)).status).toBe(404);
	});
});

it.each(['/requests', '/calls', '/messages', '/deliveries', '/tool-requests'])(
	'%s?last= takes no number that the store cannot, and none that makes others wait',
	async (path) => {
		for (const last of ['1e20', '10001']) {
			const { status, body } = await service.control.request('GET', `${path}?last=${last}`);
			expect({ status, body }).toMatchObject({
				status: 422,
				body: { errors: { last: [expect.anything()] } },
			});
		}
	},
);

it('a clock that would soon be beyond all dates is refused, and goes on as it was', async () => {
	const clock = { mode: 'accelerated', speed: 1e300 };
	const response = await service.control.request('POST', '/clock', clock);
	expect(response).toMatchObject({ status: 422, body: { errors: { speed: [expect.anything()] } } });
	expect(await service.control.request('GET', '/health')).toMatchObject({
		status: 200,
		body: { mode: 'manual' },
	});
});

it('a clock of infinite speed is refused', async () => {
	const response = await sendRequest(`${service.controlUrl}/clock`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: '{"mode":"accelerated","speed":1e999}',
	});
	expect(response).toMatchObject({ status: 422, body: { errors: { speed: [expect.anything()] } } });
	expect((await service.control.request('GET', '/health')).status).toBe(200);
});

describe('reset', () => {
	it('with a seed that is wrong cannot happen: the start is refused, and kept data stay', async () => {
		const dataFile = join(folder(), 'state.db');
		const first = await startService({ dataFile });
		await first.alice.put('/user/tools/1', { timeout: 7 });
		await first.close();
		const badSeed = { users: [{ token: BOB, campaigns: [{ name: 'Nobody', assistant_id: 99 }] }] };
		await expect(startOwnService({ dataFile, seed: badSeed })).rejects.toThrow('assistant 99');
		await using own = await startOwnService({ dataFile });
		const { body } = await own.alice.put('/user/tools/1', { description: 'Changed' });
		expect(body).toMatchObject({ data: { timeout: 7 } });
		await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await own.control.advance(A_CALL);
		expect(await callsOf(own.alice)).toMatchObject([{ status: 'completed' }]);
	});

	it('does not wait for a receiver that does not answer, nor hear from it later', async () => {
		receiver.respondWith(() => undefined);
		await enableWebhook(service.alice, 1, receiver.url);
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		const advancing = service.control.request('POST', '/clock', { advance: A_CALL });
		await receiver.arrived(1);
		await service.reset();
		await advancing;
		expect(await callsOf(service.alice)).toEqual([]);
		expect(await service.control.deliveries()).toEqual([]);
		await service.control.advance('P1D');
		expect(receiver.arrivals).toHaveLength(1);
	});

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

		// The campaign is not started. The call and its webhook are gone.
		receiver.clear();
		await control.advance('P1D');
		expect(receiver.arrivals).toEqual([]);
		expect(await callsOf(alice)).toEqual([]);
	});
});

describe('close', () => {
	it.each(['manual', 'accelerated'] as const)(
		'ends a sandbox in which a webhook is on its way (%s clock), and frees its port',
		async (mode) => {
			const own = await startService({ clock: { mode, speed: 1000 } });
			receiver.respondWith(() => undefined);
			await enableWebhook(own.alice, 1, receiver.url);
			await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
			const advancing = own.control
				.request('POST', '/clock', { advance: A_CALL })
				.catch(() => undefined);
			await receiver.arrived(1);
			await own.close();
			await advancing;
			await expect(sendRequest(`${own.url}/user/calls`)).rejects.toThrow();
		},
	);
});
