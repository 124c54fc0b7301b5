import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { onlyInFull } from '../../test/support/sample.mts';
import {
	A_CALL,
	getCalls,
	completeCall,
	enableWebhook,
	LEAD_PHONE_NUMBER,
	setCampaign,
	startCall,
} from './support/calls.mts';
import { sendRequest, getId } from './support/client.mts';
import { asObject, getObjects } from './support/contract.mts';
import { newAssistant, newTool } from './support/seed.mts';
import { folderPerTest } from './support/process.mts';
import { getState } from './support/raw.mts';
import { expectResponse } from './support/responses.mts';
import { startService } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { serviceAndReceiver } from './support/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();

const folder = folderPerTest();

it.each(['https://example.com', 'http://127.0.0.1.example.com', 'null'])(
	'a web page of %s may not use the control API, others need no token',
	async (origin) => {
		for (const path of ['health', 'reference/', 'openapi.json', 'control.json']) {
			const init = { headers: { Origin: origin } };
			const response = await sendRequest(`${service.controlUrl}/${path}`, init);
			expectResponse(response, 403, { message: expect.stringMatching(/\w/) });
		}
		expect((await service.control.request('GET', '/health')).status).toBe(200);
	},
);

it('a reset is refused with a body that is not sent as JSON', async () => {
	const init = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' };
	expect((await sendRequest(`${service.controlUrl}/reset`, init)).status).toBe(415);
});

describe('what is not right is refused in words', () => {
	it.each<[string, string, unknown]>([
		['POST', '/clock', { mode: 'sundial' }],
		['POST', '/clock', { mode: 'accelerated', speed: -1 }],
		['POST', '/clock', { mode: 'accelerated', speed: 1e300 }],
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
		['POST', '/faults', { status: 500, probability: 0 }],
		['POST', '/faults', { status: 500, probability: 1.5 }],
		['GET', '/nothing', undefined],
	])('%s %s %j', async (method, path, body) => {
		const response = await service.control.request(method, path, body);
		expect(response.status).toBeGreaterThanOrEqual(400);
		expect(response.status).toBeLessThan(500);
		expect(response.body).toMatchObject({ message: expect.stringMatching(/\w/) });
		const health = await service.control.request('GET', '/health');
		expect(health).toMatchObject({ status: 200, body: { mode: 'manual' } });
	});
});

describe('what cannot be shown is refused by its name', () => {
	const LISTS = ['/requests', '/calls', '/messages', '/deliveries', '/tool-requests'];
	it.each([
		...['/requests?last=0', '/requests?last=few', '/calls?first=1'],
		// Numbers that the store does not take, and that make others wait.
		...LISTS.flatMap((path) => [`${path}?last=1e20`, `${path}?last=10001`]),
		...['/events?limit=0', '/events?limit=1001', '/events?before=x', '/events?level='],
		...['/events?kind=fialed', '/events?level=fialed', '/events?colour=red'],
		...['/records/requests?limit=0', '/records/calls?limit=0', '/records/calls?limit=501'],
		...['/records/calls?before=x', '/records/calls?status=finished', '/records/calls?search='],
		...['/records/calls?running=maybe', '/records/calls?colour=blue'],
		...['/records/leads?status=busy', '/records/users?search=a', '/records/calls/1?token=yes'],
	])('%s', async (path) => {
		await startCall(service);
		const [, field = '', value = ''] = /[?](\w+)=(\w*)/.exec(path) ?? [];
		const { status, body, text } = await service.control.request('GET', path);
		expect(status).toBe(422);
		const { message, errors } = asObject(body, text);
		expect(message).toContain(field);
		const named = [expect.stringMatching(`^${field}`), [expect.any(String)]];
		expect(Object.entries(asObject(errors, text))).toEqual([named]);
		if (value === 'fialed') expect(text).toContain(value);
	});
});

describe('what the sandbox shows', () => {
	it('the calls and SMS of all users, and only the last ones where that is asked for', async () => {
		await startCall(service);
		await startCall(service, { assistant_id: 101, to: '+33612345611' });
		await startCall(service, { to: '+4915112345613' });
		const sms = { to: '+4915112345699', body: 'Hi' };
		await service.alice.post('/user/sms', { ...sms, from: 1 });
		await service.bob.post('/user/sms', { ...sms, from: 101 });
		const { body: all } = await service.control.request('GET', '/calls');
		const numbers = ['+4915112345611', '+33612345611', '+4915112345613'];
		expect(all).toMatchObject({
			data: numbers.map((client_phone_number) => ({ client_phone_number })),
		});
		const messages = await service.control.request('GET', '/messages');
		expect(messages.body).toMatchObject({ data: [{ user_id: 1 }, { user_id: 2 }] });
		const last = await service.control.request('GET', '/calls?last=2');
		expect(last.body).toMatchObject({ data: [{ id: 2 }, { id: 3 }], more: true, total: 3 });
		const before = await service.control.request('GET', '/calls?last=2&before=2');
		expect(before.body).toMatchObject({ data: [{ id: 1 }], more: false, total: 3 });
	});

	onlyInFull(it)(
		'ten thousand of them at once, and all to whoever asks for those before',
		async () => {
			const dataFile = join(folder(), 'state.db');
			{
				await using first = await startOwnService({ dataFile });
				await completeCall(first);
			}
			{
				using database = new DatabaseSync(dataFile);
				// Copies of the call: to make so many would take long.
				database.exec(`
				WITH RECURSIVE ids (id) AS (VALUES (2) UNION ALL SELECT id + 1 FROM ids WHERE id < 10001)
				INSERT INTO calls (id, record)
				SELECT ids.id, json_set(record, '$.id', ids.id) FROM ids, calls WHERE calls.id = 1`);
			}
			await using own = await startOwnService({ dataFile });
			const { body } = await own.control.request('GET', '/calls');
			const { data, ...rest } = asObject(body, 'body');
			expect(rest).toEqual({ more: true, total: 10_001 });
			expect(getObjects(data)).toHaveLength(10_000);
			expect(getObjects(data)[0]).toMatchObject({ id: 2 });
			const calls = await own.control.calls();
			expect(calls.map(({ id }) => id)).toEqual(calls.map((_call, index) => index + 1));
			expect(calls).toHaveLength(10_001);
		},
	);

	it('a page that the root of the server leads to, for GET only', async () => {
		const { origin } = new URL(service.controlUrl);
		const root = await sendRequest(`${origin}/`);
		expect(root.status).toBe(303);
		expect(root.headers.get('location')).toBe('/__sandbox/');
		expect((await sendRequest(`${origin}/`, { method: 'POST', body: '{}' })).status).toBe(404);
		expect((await sendRequest(`${origin}/user/calls`)).status).toBe(404);
	});
});

describe('reset', () => {
	it('does not wait for a receiver that does not answer, nor hear from it later', async () => {
		receiver.respondWith(() => undefined);
		await enableWebhook(service.alice, 1, receiver.url);
		await startCall(service);
		const advancing = service.control.request('POST', '/clock', { advance: A_CALL });
		await receiver.arrived(1);
		await service.reset();
		await advancing;
		expect(await getCalls(service.alice)).toEqual([]);
		expect(await service.control.deliveries()).toEqual([]);
		await service.control.advance('P1D');
		expect(receiver.arrivals).toHaveLength(1);
	});

	it('restores everything', async () => {
		const { alice, control } = service;
		const before = await getState(service);
		const newLead = { campaign_id: 2, phone_number: '+4915112345699' };
		const firstTool = getId(await alice.post('/user/tools', newTool));
		await alice.post('/user/assistant', newAssistant);
		await alice.put('/user/tools/1', { timeout: 3 });
		await alice.post('/user/lead', newLead);
		await alice.put('/user/leads/1', { phone_number: '+4915112345698' });
		await alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hi' });
		await enableWebhook(alice, 1, receiver.url);
		await setCampaign(service, 'start');
		await control.advance(A_CALL);
		await startCall(service);
		await control.advance('PT1S');
		await control.fault({ status: 500, times: 100 });

		expect((await control.request('POST', '/reset')).status).toBe(200);

		expect(await control.requests()).toEqual([]);
		expect(await control.deliveries()).toEqual([]);
		expect(await getState(service)).toEqual(before);
		const duplicate = { campaign_id: 1, phone_number: LEAD_PHONE_NUMBER };
		expect((await alice.post('/user/lead', duplicate)).status).toBe(422);
		expect((await alice.post('/user/lead', newLead)).status).toBe(200);
		const { body: user } = await control.request('GET', '/records/users/1');
		expect(user).toMatchObject({ balance: 10 });
		const tool = await alice.post('/user/tools', newTool);
		expect(getId(tool)).toBe(firstTool);
		expect(tool.text).toContain('2026-03-02T09:00:00.000000Z');

		// The campaign is not started. The call and its webhook are gone.
		receiver.clear();
		await control.advance('P1D');
		expect(receiver.arrivals).toEqual([]);
		expect(await getCalls(alice)).toEqual([]);
	});
});

describe('close', () => {
	it.each(['manual', 'accelerated'] as const)(
		'ends a sandbox in which a webhook is on its way (%s clock), and frees its port',
		async (mode) => {
			const own = await startService({ clock: { mode, speed: 1000 } });
			receiver.respondWith(() => undefined);
			await enableWebhook(own.alice, 1, receiver.url);
			await startCall(own);
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
