import { describe, expect, it } from '@jest/globals';
import type { FaultRule } from '../client.mts';
import { sendRequest } from './support/client.mts';
import { asObject, getObjects, type JsonObject } from './support/contract.mts';
import { ALICE, BOB, newTool } from './support/seed.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

async function wholeRequest(id: number): Promise<JsonObject> {
	const { status, body } = await service.control.request('GET', `/requests/${id}`);
	expect(status).toBe(200);
	return asObject(body, 'request');
}
const getCalls = () => service.alice.request('GET', '/user/calls', { ignoreContract: true });
const newLead = { campaign_id: 1, phone_number: '+4915112345622' };

describe('the list of requests', () => {
	it('has every request to the service, oldest first, what came in and what became of it', async () => {
		await service.alice.get('/user/calls', { per_page: 3 });
		await service.alice.put('/user/tools/1', { timeout: 3 });
		await sendRequest(`${service.url}/user/calls`);
		await service.bob.request('GET', '/nothing');
		await service.control.request('GET', '/health');
		const [list, update, anonymous, bobs, ...others] = await service.control.requests();
		expect([list, update, anonymous, bobs]).toMatchObject([
			{
				method: 'GET',
				path: '/api/user/calls',
				query: { per_page: '3' },
				operation: 'listCalls',
				in_flight: 1,
				status: 200,
				user: 1,
			},
			{ method: 'PUT', operation: 'updateTool', body: { timeout: 3 }, status: 200, user: 1 },
			{ method: 'GET', status: 401, user: null },
			{ method: 'GET', operation: null, status: 404, user: 2 },
		]);
		// Requests to the control API are not among them.
		expect(others).toEqual([]);
	});

	it('has a body as it was sent, without the defaults that the service fills in', async () => {
		await service.alice.post('/user/tools', newTool);
		expect((await service.control.requests())[0]?.body).toEqual(newTool);
	});

	it('counts the requests that are answered at the same time', async () => {
		await service.control.fault({ operation: 'listCalls', delay_ms: 500, times: 5 });
		await Promise.all(Array.from({ length: 5 }, getCalls));
		const most = (await service.control.requests()).map((request) => request.in_flight);
		expect(Math.max(...most)).toBe(5);
	});

	const DEEP = '['.repeat(10_000) + ']'.repeat(10_000);
	const LARGE = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
	it.each([
		['that is nested too deep', DEEP, 400],
		['that is too large', LARGE, 413],
		['that is no JSON', '<xml>'.repeat(1000), 400],
	])('keeps the beginning of a body %s, and can still be read', async (_what, raw, status) => {
		await service.alice.request('POST', '/user/tools', { raw });
		const [request] = await service.control.requests();
		expect(request).toMatchObject({ operation: 'createTool', status, body: raw.slice(0, 2000) });
	});

	it('gives as many of its last entries as asked for, and says how many there are', async () => {
		for (const page of [1, 2, 3]) await service.alice.get('/user/calls', { page });
		const { body } = await service.control.request('GET', '/requests?last=2');
		const data = [{ query: { page: '2' } }, { query: { page: '3' } }];
		expect(body).toMatchObject({ data, total: 3 });
	});
});

it('the pages of requests are newest first, with a search, and refused ones apart', async () => {
	await service.alice.get('/user/calls');
	await service.alice.post('/user/lead', { campaign_id: 1, phone_number: 'no number_' });
	await service.alice.get('/user/calls');
	const PAGES: [query: string, ids: number[], more: boolean, total: number][] = [
		['limit=2', [3, 2], true, 3],
		['limit=2&before=2', [1], false, 3],
		['search=LISTcalls', [3, 1], false, 2],
		['search=number_', [2], false, 1],
		['refused=true', [2], false, 1],
		['refused=false', [3, 1], false, 2],
		['refused=true&search=calls', [], false, 0],
	];
	for (const [query, ids, more, total] of PAGES) {
		const { body } = await service.control.request('GET', `/records/requests?${query}`);
		const data = ids.map((id) => expect.objectContaining({ id }));
		expect({ query, body }).toEqual({ query, body: { data, more, total } });
	}
});

describe('one request', () => {
	it('has its headers, its response, how long it took, and what it caused', async () => {
		const { body } = await service.alice.post('/user/lead', newLead);
		const request = await wholeRequest(1);
		expect(request).toMatchObject({
			id: 1,
			operation: 'createLead',
			body: newLead,
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
		const [entry] = getObjects(asObject(JSON.parse(text), 'list').data);
		expect(Object.keys(entry ?? {})).toEqual([
			...['id', 'at', 'method', 'path', 'query', 'operation', 'body', 'user', 'in_flight'],
			...['status', 'duration_ms'],
		]);
	});

	it('has the beginning of a body and of a response that are long', async () => {
		const lead = { ...newLead, phone_number: '1', variables: { note: 'x'.repeat(500_000) } };
		await service.alice.post('/user/lead', lead);
		const { body } = await wholeRequest(1);
		expect(body).toBe(`${JSON.stringify(lead).slice(0, 20_000)}…`);
		const { text } = await service.control.request('GET', '/requests');
		expect(text.length).toBeLessThan(21_000);
		await service.control.fault({ status: 500, body: 'x'.repeat(30_000) });
		await getCalls();
		expect((await wholeRequest(2)).response_body).toBe('x'.repeat(20_000));
	});

	it('that was refused says why, and the timeline, too', async () => {
		const response = await service.alice.post('/user/lead', { campaign_id: 1, phone_number: '1' });
		const request = await wholeRequest(1);
		expect(request).toMatchObject({ status: 422, response_body: response.body });
		const text =
			'POST /api/user/lead was answered 422. Validation failed. phone_number: Invalid phone number.';
		expect(await service.control.events({ kind: 'request-refused' })).toMatchObject([
			{ text, level: 'warning', user_id: 1, request_id: 1 },
		]);
	});

	it('that a fault hit has the whole rule', async () => {
		const rule = { operation: 'listCalls', status: 503, body: 'Away', times: 3 };
		const { id } = await service.control.fault(rule);
		await getCalls();
		expect(await wholeRequest(1)).toMatchObject({
			status: 503,
			fault: id,
			fault_effect: 'decided',
			fault_rule: { id, ...rule, times: expect.any(Number) },
			response_headers: { 'content-type': 'text/html; charset=utf-8' },
			response_body: 'Away',
		});
		await service.control.clearFaults();
		const { id: dropping } = await service.control.fault({ drop: 'before' });
		await expect(getCalls()).rejects.toThrow();
		const dropped = { status: null, fault: dropping, fault_effect: 'decided' };
		expect(await wholeRequest(2)).toMatchObject(dropped);
		const told = await service.control.events({ kind: 'request-refused' });
		expect(told.map(({ text, level }) => `${level}: ${text}`)).toEqual([
			`warning: GET /api/user/calls got no answer: its connection was closed by fault ${dropping}.`,
			`error: GET /api/user/calls was answered 503 by fault ${id}.`,
		]);
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
		const headers = {
			authorization: 'Bearer hidden-token',
			cookie: 'session=hidden-cookie',
			'x-api-key': 'hidden-key',
			'x-copy': 'hidden-token',
		};
		const path = `/${ALICE}/hidden-token?api_token=${ALICE}&${ALICE}=1&a=${BOB}`;
		await sendRequest(service.url + path, { headers });
		await service.alice.post('/user/lead', { [ALICE]: { [BOB]: BOB }, keyword: 'seen-word' });
		await service.alice.request('POST', '/user/tools', {
			raw: '{"headers": [{"name": "A", "value": "hidden-header"}],',
		});
		const shown = JSON.stringify([
			(await service.control.request('GET', '/requests')).text,
			(await service.control.request('GET', '/records/requests')).text,
			...(await Promise.all([1, 2, 3, 4, 5, 6].map((id) => wholeRequest(id)))),
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
		await getCalls();
		const [event] = await service.control.events({ kind: 'request-refused' });
		expect(event?.text).toMatch(/^GET \/api\/user\/calls was answered 422 by fault \d+\. No\.$/);
	});

	it('that the service itself refused is not blamed on a fault that hit it', async () => {
		const lead = { campaign_id: 1, phone_number: '1' };
		const rules: FaultRule[] = [{ slow_first_byte_ms: 1 }, { malformed_json: true }];
		for (const rule of rules) {
			await service.control.fault(rule);
			await service.alice.request('POST', '/user/lead', { json: lead, ignoreContract: true });
		}
		expect(await service.control.events({ kind: 'request-refused' })).toMatchObject([
			{ text: expect.stringMatching(/ was answered 422\. The fault broke the answer\.$/) },
			{ text: expect.stringMatching(/ was answered 422\. Validation failed\./) },
		]);
		const { body } = await service.control.request('GET', '/records/requests');
		expect(body).toMatchObject({
			data: [
				{ id: 2, status: 422, fault_effect: 'broke' },
				{ id: 1, status: 422, fault_effect: 'delayed' },
			],
		});
	});

	it('that does not exist is not found', async () => {
		for (const id of ['1', '0', 'x']) {
			expect((await service.control.request('GET', `/requests/${id}`)).status).toBe(404);
		}
	});

	it('is there while it is in flight, and a reset forgets it', async () => {
		await service.control.fault({ operation: 'createLead', delay_ms: 60_000 });
		const abort = new AbortController();
		const sent = fetch(`${service.url}/user/lead`, {
			method: 'POST',
			signal: abort.signal,
			headers: { authorization: `Bearer ${ALICE}`, 'content-type': 'application/json' },
			body: JSON.stringify(newLead),
		}).catch(() => undefined);
		let entries = await service.control.requests();
		while (entries.length === 0) entries = await service.control.requests();
		expect(entries).toMatchObject([{ id: 1, in_flight: 1, status: null, duration_ms: null }]);
		expect(await wholeRequest(1)).toMatchObject({ status: null, events: [] });
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
