import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.mts';
import { sendRequest, serviceClient } from '../support/sandbox/client.mts';
import { asObject, objectsOf, type JsonObject } from '../support/sandbox/contract.mts';
import { folderPerTest, processesPerTest } from '../support/sandbox/process.mts';
import { ALICE, BOB, newTool } from '../support/sandbox/seed.mts';
import { startTestService } from '../support/sandbox/testService.mts';

const service = await startTestService();
const { startProcess } = processesPerTest();
const folder = folderPerTest();

async function wholeRequest(control: SandboxClient, id: number): Promise<JsonObject> {
	const { status, body } = await control.request('GET', `/requests/${id}`);
	expect(status).toBe(200);
	return asObject(body, 'request');
}

describe('one request', () => {
	it('has its headers, its response, how long it took, and what it caused', async () => {
		const lead = { campaign_id: 1, phone_number: '+4915112345622' };
		const { body } = await service.alice.post('/user/lead', lead);
		const request = await wholeRequest(service.control, 1);
		expect(request).toMatchObject({
			id: 1,
			operation: 'createLead',
			body: lead,
			status: 200,
			duration_ms: expect.any(Number),
			request_headers: { authorization: 'Bearer …', 'content-type': 'application/json' },
			response_headers: { 'content-type': 'application/json; charset=utf-8' },
			response_body: body,
			fault_rule: null,
		});
		const [event] = await service.control.events({ limit: 1 });
		expect(event).toMatchObject({ kind: 'lead-added', request_id: 1 });
		expect(request.events).toEqual([event?.id]);
		const { text } = await service.control.request('GET', '/requests');
		const [entry] = objectsOf(asObject(JSON.parse(text), 'list').data);
		expect(Object.keys(entry ?? {})).toEqual([
			...['id', 'at', 'method', 'path', 'query', 'operation', 'body', 'user', 'in_flight'],
			...['status', 'duration_ms'],
		]);
	});

	it('has the beginning of a body that is long', async () => {
		const lead = { campaign_id: 1, phone_number: '1', variables: { note: 'x'.repeat(500_000) } };
		await service.alice.post('/user/lead', lead);
		const { body } = await wholeRequest(service.control, 1);
		expect(body).toBe(`${JSON.stringify(lead).slice(0, 20_000)}…`);
		const { text } = await service.control.request('GET', '/requests');
		expect(text.length).toBeLessThan(21_000);
	});

	it('that was refused says why, and the timeline, too', async () => {
		const response = await service.alice.post('/user/lead', { campaign_id: 1, phone_number: '1' });
		const request = await wholeRequest(service.control, 1);
		expect(request).toMatchObject({ status: 422, response_body: response.body });
		expect(await service.control.events({ kind: 'request-refused' })).toMatchObject([
			{
				text: 'POST /api/user/lead was answered 422. Validation failed. phone_number: Invalid phone number.',
				level: 'warning',
				user_id: 1,
				request_id: 1,
			},
		]);
	});

	it('that a fault hit has the whole rule', async () => {
		const rule = { operation: 'listCalls', status: 503, body: 'Away', times: 3 };
		await service.control.fault(rule);
		const get = () => service.alice.request('GET', '/user/calls', { ignoreContract: true });
		await get();
		expect(await wholeRequest(service.control, 1)).toMatchObject({
			status: 503,
			fault: 1,
			fault_rule: { id: 1, ...rule, times: expect.any(Number) },
			response_headers: { 'content-type': 'text/html; charset=utf-8' },
			response_body: 'Away',
		});
		await service.control.clearFaults();
		await service.control.fault({ drop: 'before' });
		await expect(get()).rejects.toThrow();
		expect(await wholeRequest(service.control, 2)).toMatchObject({ status: null, fault: 2 });
		const told = await service.control.events({ kind: 'request-refused' });
		expect(told.map(({ text, level }) => [text, level])).toEqual([
			['GET /api/user/calls got no answer: its connection was closed by fault 2.', 'warning'],
			['GET /api/user/calls was answered 503 by fault 1.', 'error'],
		]);
	});

	it('never shows the token, wherever it is', async () => {
		await service.alice.request('GET', `/${ALICE}`, { query: { token: ALICE } });
		await service.alice.post('/user/tools', {
			...newTool,
			headers: [{ name: 'Authorization', value: `Bearer ${ALICE}` }],
		});
		await sendRequest(`${service.url}/user/calls/mistyped-secret`, {
			headers: {
				authorization: 'Bearer mistyped-secret',
				cookie: 'session=cookie-secret',
				'x-copy': 'mistyped-secret',
			},
		});
		const shown = JSON.stringify([
			await service.control.requests(),
			...(await Promise.all([1, 2, 3].map((id) => wholeRequest(service.control, id)))),
			await service.control.events(),
		]);
		expect(shown).toContain('get_weather');
		for (const secret of [ALICE, 'mistyped-secret', 'cookie-secret']) {
			expect(shown).not.toContain(secret);
		}
	});

	it('shows no token of any user, and no secret of a tool or a webhook', async () => {
		await service.alice.post('/user/tools', {
			...newTool,
			endpoint: 'https://user:hidden-password@tools.example.com/x?api_key=hidden-key&x=seen',
			headers: [{ name: 'X-Any', value: 'hidden "]header"' }],
		});
		await service.alice.put('/user/assistant/1', {
			webhook_url: 'https://crm.example.com/x?token=hidden-token&sig=hidden-sig&x=seen',
		});
		await service.alice.get('/user/tools');
		await sendRequest(`${service.url}/user/me?api_token=${ALICE}&${ALICE}=1&a=${BOB}`, {
			headers: { 'x-api-key': 'hidden-key' },
		});
		await service.alice.post('/user/lead', { [ALICE]: { [BOB]: BOB }, keyword: 'seen-word' });
		await service.alice.request('POST', '/user/tools', {
			raw: '{"headers": [{"name": "A", "value": "hidden-header"}],',
		});
		const shown = JSON.stringify([
			(await service.control.request('GET', '/requests')).text,
			(await service.control.request('GET', '/records/requests')).text,
			...(await Promise.all([1, 2, 3, 4, 5, 6].map((id) => wholeRequest(service.control, id)))),
			await service.control.events(),
		]);
		expect(shown).toContain('https://…@tools.example.com/x?api_key=…&x=seen');
		expect(shown).toContain('https://crm.example.com/x?token=…&sig=…&x=seen');
		expect(shown).toContain('seen-word');
		expect(shown).not.toMatch(/hidden/);
		expect(shown).not.toContain(ALICE);
		expect(shown).not.toContain(BOB);
		const whole = JSON.stringify(await service.control.requests());
		expect(whole).toContain('hidden-token');
		expect(whole).not.toContain(ALICE);
	});

	it('that a fault refused without reasons is told without them', async () => {
		const body = { message: 'No.', errors: { a: [] } };
		await service.control.fault({ status: 422, body });
		await service.alice.request('GET', '/user/calls', { ignoreContract: true });
		const [event] = await service.control.events({ kind: 'request-refused' });
		expect(event?.text).toMatch(/^GET \/api\/user\/calls was answered 422 by fault \d+\. No\.$/);
	});

	it('has the beginning of a long response', async () => {
		await service.control.fault({ status: 500, body: 'x'.repeat(30_000) });
		await service.alice.request('GET', '/user/calls', { ignoreContract: true });
		const { response_body } = await wholeRequest(service.control, 1);
		expect(response_body).toBe('x'.repeat(20_000));
	});

	it('that does not exist is not found', async () => {
		for (const id of ['1', '0', 'x']) {
			expect((await service.control.request('GET', `/requests/${id}`)).status).toBe(404);
		}
	});

	it('is there while it is in flight, and a reset forgets it', async () => {
		await service.control.fault({ operation: 'createLead', delay_ms: 60_000 });
		const lead = { campaign_id: 1, phone_number: '+4915112345622' };
		const abort = new AbortController();
		const sent = fetch(`${service.url}/user/lead`, {
			method: 'POST',
			signal: abort.signal,
			headers: { authorization: `Bearer ${ALICE}`, 'content-type': 'application/json' },
			body: JSON.stringify(lead),
		}).catch(() => undefined);
		let entries = await service.control.requests();
		while (entries.length === 0) entries = await service.control.requests();
		expect(entries).toMatchObject([{ id: 1, in_flight: 1, status: null, duration_ms: null }]);
		expect(await wholeRequest(service.control, 1)).toMatchObject({ status: null, events: [] });
		const list = async (query: string) =>
			(await service.control.request('GET', `/records/requests${query}`)).body;
		expect(await list('')).toMatchObject({ data: [{ id: 1, status: null }], total: 1 });
		expect(await list('?before=1')).toMatchObject({ data: [], more: false, total: 1 });
		await service.alice.get('/user/calls');
		expect(await list('?limit=1')).toMatchObject({ data: [{ id: 2 }], more: true, total: 2 });
		expect(await list('?before=2')).toMatchObject({ data: [{ id: 1 }], more: false, total: 2 });
		expect(await list('?refused=true')).toMatchObject({ data: [], total: 0 });
		await service.control.reset();
		expect(await service.control.requests()).toEqual([]);
		abort.abort();
		await sent;
	});
});

describe('requests in a data file', () => {
	const start = async () => {
		const sandbox = await startProcess('--data', join(folder(), 'state.db'), '--clock', 'manual');
		return { ...sandbox, client: serviceClient(sandbox.url, sandbox.token) };
	};

	it('are there after kill -9, each that was answered, and the ids go on', async () => {
		const first = await start();
		const answered: string[] = [];
		/** Asks until the sandbox no longer responds. */
		const ask = async (name: number): Promise<never> => {
			for (let count = 0; ; count += 1) {
				const phone_number = `+49151${name}${String(count).padStart(6, '0')}`;
				await first.client.post('/user/lead', { campaign_id: 1, phone_number });
				answered.push(phone_number);
				if (answered.length === 30) void first.kill();
			}
		};
		await Promise.allSettled([1, 2, 3, 4].map(ask));
		await first.kill();

		const second = await start();
		const control = createSandboxClient(second.control);
		const requests = await control.requests();
		const numbers = requests.map(({ body }) => asObject(body, 'body').phone_number);
		expect(numbers).toEqual(expect.arrayContaining(answered));
		const events = await control.events({ kind: 'lead-added', limit: 1000 });
		expect(events.length).toBeGreaterThanOrEqual(answered.length);
		const newest = Math.max(...events.map(({ request_id }) => request_id ?? 0));

		await second.client.get('/user/calls');
		const last = (await control.requests()).at(-1);
		expect(last).toMatchObject({ operation: 'listCalls', in_flight: 1 });
		expect(last?.id).toBeGreaterThan(newest);
	});
});
