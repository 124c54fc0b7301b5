import { describe, expect, it } from '@jest/globals';

import type { DeliveryFaultRule, FaultRule } from '../client.mts';
import { asObject, getObjects, type JsonObject } from './support/contract.mts';
import { observe } from './support/raw.mts';
import { ALICE, BOB, newTool } from './support/seed.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

const getStatus = async (method: string, path: string, json?: unknown, user = service.alice) =>
	(await user.request(method, path, { ignoreContract: true, ...(json !== undefined && { json }) }))
		.status;
const calls = (user = service.alice) => getStatus('GET', '/user/calls', undefined, user);

describe('a rule tells requests by', () => {
	const HIT = 418;
	const hitBy = (rule: FaultRule) => service.control.fault({ status: HIT, ...rule });

	it('its path, whole or with stars', async () => {
		const changeLead = (id: number) => getStatus('PUT', `/user/leads/${id}`, { status: 'created' });
		await hitBy({ path: '/api/user/leads/1' });
		expect(await changeLead(11)).not.toBe(HIT);
		expect(await changeLead(1)).toBe(HIT);
		for (const path of ['/api/user/leads/*', '*/leads/1', '/api/*/leads/*', '*']) {
			await hitBy({ path });
			expect([path, await changeLead(1)]).toEqual([path, HIT]);
		}
		for (const path of ['/api/user', '*/calls/*', '/api/*/calls/*/1', '/api/user/leads/1*1']) {
			const { id } = await hitBy({ path });
			expect([path, await changeLead(1)]).toEqual([path, 200]);
			await service.control.removeFault(id);
		}
	});

	it('its path, also where no operation is', async () => {
		await hitBy({ path: '/api/nowhere' });
		expect(await getStatus('GET', '/nowhere')).toBe(HIT);
		expect(await getStatus('GET', '/nowhere')).toBe(404);
	});

	it('its method', async () => {
		await hitBy({ method: 'POST' });
		expect(await calls()).toBe(200);
		expect(await getStatus('POST', '/user/tools', newTool)).toBe(HIT);
	});

	it('its token, whether or not a user has it', async () => {
		await hitBy({ token: BOB });
		await hitBy({ token: 'nobody-has-this-token' });
		expect([await calls(), await calls(service.bob)]).toEqual([200, HIT]);
		expect(await calls(service.bob)).toBe(200);
		expect(await calls(service.as('nobody-has-this-token'))).toBe(HIT);
	});

	it.each<[string, NonNullable<FaultRule['body_field']>, JsonObject, JsonObject]>([
		['that is there', { name: 'timeout' }, { timeout: 3 }, { name: 'get_weather_2' }],
		['of a value', { name: 'timeout', equals: 3 }, { timeout: 3 }, { timeout: 4 }],
		['of a type', { name: 'timeout', equals: '3' }, { timeout: '3' }, { timeout: 3 }],
		['that is null', { name: 'timeout', equals: null }, { timeout: null }, { timeout: 3 }],
		[
			'in an object or a list',
			{ name: 'headers.1.value', equals: 'b' },
			{ headers: [{ value: 'a' }, { value: 'b' }] },
			{ headers: [{ value: 'b' }] },
		],
		[
			'that is an object',
			{ name: 'a', equals: { c: [1], b: 2 } },
			{ a: { b: 2, c: [1] } },
			{ a: { b: 2, c: [1, 1] } },
		],
		['of its own', { name: 'toString' }, { toString: 1 }, { timeout: 3 }],
	])('a field of its body %s', async (_what, field, hit, passed) => {
		await hitBy({ body_field: field });
		expect(await getStatus('PUT', '/user/tools/1', passed)).not.toBe(HIT);
		expect(await calls()).toBe(200);
		expect(await getStatus('PUT', '/user/tools/1', hit)).toBe(HIT);
	});

	it('all of it together', async () => {
		const body_field = { name: 'timeout' };
		await hitBy({ path: '/api/user/*', method: 'PUT', token: ALICE, body_field });
		const change = (user = service.alice, fields: object = { timeout: 3 }) =>
			getStatus('PUT', '/user/tools/1', fields, user);
		expect(await change(service.bob)).not.toBe(HIT);
		expect(await change(service.alice, {})).not.toBe(HIT);
		expect(await change()).toBe(HIT);
	});

	it('the order of the rules, however they tell them', async () => {
		const rules = [
			{ path: '*' },
			{ operation: 'listCalls' },
			{ token: ALICE },
			{ path: '/api/user/calls' },
			{},
		];
		for (const [index, rule] of rules.entries()) await hitBy({ ...rule, status: 501 + index });
		for (const status of [501, 502, 503, 504, 505, 200]) expect(await calls()).toBe(status);
	});
});

describe('a rule ends', () => {
	it('after its time, which is the time of the sandbox', async () => {
		await service.control.fault({ status: 503, times: 100, ttl: 'PT10M' });
		await service.control.advance('PT9M59S');
		expect(await calls()).toBe(503);
		expect(await service.control.faults()).toMatchObject([
			{ ttl: 'PT10M', times: 99, expires_at: '2026-03-02T09:10:00.000Z' },
		]);
		await service.control.advance('PT1S');
		expect(await calls()).toBe(200);
		expect(await service.control.faults()).toEqual([]);
	});

	it('when it is removed, and the others stay', async () => {
		const first = await service.control.fault({ status: 501, times: 9 });
		const second = await service.control.fault({ status: 502, times: 9 });
		await service.control.removeFault(first.id);
		expect(await calls()).toBe(502);
		expect(await service.control.faults()).toMatchObject([{ id: second.id, times: 8 }]);
		for (const id of [first.id, 0, 'x']) {
			expect((await service.control.request('DELETE', `/faults/${id}`)).status).toBe(404);
		}
	});

	it('and its id is not used again, not even after a reset', async () => {
		const ids = [(await service.control.fault({ status: 501 })).id];
		await calls();
		ids.push((await service.control.fault({ status: 501 })).id);
		await service.control.clearFaults();
		ids.push((await service.control.fault({ target: 'deliveries', duplicate: 1 })).id);
		await service.reset();
		ids.push((await service.control.fault({ status: 501 })).id);
		expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
	});
});

it('a rule begins after the requests that it skips', async () => {
	await service.control.fault({ operation: 'listCalls', status: 503, skip_first: 2, times: 2 });
	expect(await getStatus('POST', '/user/tools', newTool)).toBe(201);
	for (const status of [200, 200, 503, 503, 200]) expect(await calls()).toBe(status);
});

it('the token of a rule is never shown', async () => {
	const token = 'a-long-secret-token-9876';
	const made = await service.control.request('POST', '/faults', { token, status: 503, times: 2 });
	await calls(service.as(token));
	const list = await service.control.request('GET', '/faults');
	for (const { text } of [made, list, await service.control.request('GET', '/requests')]) {
		expect(text).not.toContain('a-long');
	}
	expect(list.body).toMatchObject({ data: [{ token: 'Bearer …9876', times: 1 }] });
	await service.control.fault({ token: 'short', status: 503 });
	expect((await service.control.faults())[1]?.token).toBe('Bearer …');
	for (const wrong of [{ token }, { token, status: 1 }, { token, drop: true, status: 500 }]) {
		const refused = await service.control.request('POST', '/faults', wrong);
		expect(refused.status).toBe(422);
		expect(refused.text).not.toContain('a-long');
	}
});

describe('presets', () => {
	const presets = async () =>
		getObjects(
			asObject((await service.control.request('GET', '/fault-presets')).body, 'presets').data,
		);

	it('are added by name, as rules that the list shows, and that are accepted as they are', async () => {
		for (const { name, rules } of await presets()) {
			const added = await service.control.faultPreset(String(name));
			expect(added).toMatchObject(getObjects(rules).map((rule) => ({ ...rule, preset: name })));
			expect(await service.control.faults()).toEqual(added);
			await service.control.clearFaults();
			for (const rule of getObjects(rules)) await service.control.fault(rule);
			await service.control.clearFaults();
		}
	});

	it('are one fault each, and end as a whole', async () => {
		const count = async () =>
			asObject((await service.control.request('GET', '/health')).body, 'health').faults;
		const { id } = await service.control.fault({ operation: 'sendSms', status: 500 });
		const [, second] = await service.control.faultPreset('flaky');
		expect(await count()).toBe(2);
		await service.control.removeFault(Number(second?.id));
		expect(await service.control.faults()).toMatchObject([{ id }]);
		expect(await count()).toBe(1);
		const [off] = await service.control.events({ kind: 'sandbox', limit: 1 });
		expect(off?.text).toBe('“Flaky” was turned off.');
	});

	it('do what they say', async () => {
		const choose = async (name: string) => {
			await service.control.clearFaults();
			await service.control.faultPreset(name);
		};
		await choose('rate-limit');
		const limited = await observe(service, '/user/calls');
		expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });

		await choose('server-error');
		expect(await calls()).toBe(500);
		await choose('unavailable');
		expect(await observe(service, '/user/calls')).toMatchObject({
			status: 503,
			headers: { 'retry-after': '2' },
			text: expect.stringContaining('503 Service Unavailable'),
		});

		await choose('html-error-page');
		const page = await observe(service, '/user/calls');
		expect(page.headers['content-type']).toContain('text/html');
		expect([page.status, page.text]).toEqual([502, expect.stringContaining('Bad Gateway')]);

		await choose('lost-answers');
		expect(await calls()).toBe(200);
		await expect(getStatus('POST', '/user/tools', newTool)).rejects.toThrow();
		await service.control.clearFaults();
		for (let free = 0; free < 2; free += 1) {
			expect(await getStatus('POST', '/user/tools', newTool)).toBe(201);
		}
		expect(await getStatus('POST', '/user/tools', newTool)).toBe(422);

		await choose('outage');
		expect([await calls(), await calls(service.bob)]).toEqual([503, 503]);
		await service.control.advance('PT10M');
		expect(await calls()).toBe(200);
	});
});

describe('a rule is refused', () => {
	const refusal = async (rule: unknown) => {
		const response = await service.control.request('POST', '/faults', rule);
		expect({ rule, status: response.status }).toEqual({ rule, status: 422 });
		expect(await service.control.faults()).toEqual([]);
		return asObject(response.body, response.text);
	};

	const MATCHERS = {
		operation: 'listCalls',
		path: '/api/user/*',
		token: 'x',
		body_field: { name: 'a' },
		times: 3,
		skip_first: 5,
		probability: 0.5,
		ttl: 'P1D',
	};

	it.each([
		{},
		...Object.entries(MATCHERS).map(([name, value]) => ({ [name]: value })),
		{ ...MATCHERS, operation: 'createLead' },
		{ delay_ms: 0 },
		{ slow_first_byte_ms: 0 },
		{ slow_body_ms: 0 },
		{ drop: false },
		{ delay_ms: 0, slow_first_byte_ms: 0, slow_body_ms: 0, drop: false, times: 3 },
	])('when it has no effect, and the message names the effects: %j', async (rule) => {
		expect((await refusal(rule)).message).toMatch(/status, body, .*truncate_body, .*drop/);
		const { message } = await refusal({ target: 'deliveries', event: 'postCall', times: 3 });
		expect(message).toContain('duplicate, delay or retry');
	});

	const RESPONSE = {
		status: 503,
		body: null,
		headers: { 'Retry-After': '1' },
		malformed_json: true,
		truncate_body: 0,
		slow_first_byte_ms: 1000,
		slow_body_ms: 0,
	};

	it.each([true, 'before', 'after'])(
		'when it drops the connection (%p) and says how to respond; each field is named',
		async (drop) => {
			const each = Object.entries(RESPONSE).map(([name, value]) => ({ [name]: value }));
			for (const fields of [RESPONSE, ...each]) {
				const { errors } = await refusal({ ...MATCHERS, operation: 'createLead', ...fields, drop });
				expect(Object.keys(asObject(errors, 'errors'))).toEqual(
					expect.arrayContaining(Object.keys(fields)),
				);
			}
		},
	);

	it.each<[string, JsonObject]>([
		['method', { operation: 'listCalls', method: 'POST', status: 500 }],
		['body_field', { method: 'GET', body_field: { name: 'a' }, status: 500 }],
		['headers', { delay_ms: 5, headers: { 'Retry-After': '1' } }],
		['headers', { status: 429, headers: { Trailer: 'x' }, slow_body_ms: 100 }],
		['headers', { status: 429, headers: { 'transfer-encoding': 'chunked' } }],
		['headers', { status: 429, headers: { 'content-length': '1' } }],
		['headers', { status: 429, headers: { connection: 'upgrade', upgrade: 'h2c' } }],
		['content_type', { status: 200, headers: { 'Content-Type': 'a/b' }, content_type: 'c/d' }],
		['malformed_json', { body: '<p>', malformed_json: true }],
		['malformed_json', { status: 304, malformed_json: true }],
		['truncate_body', { body: '', truncate_body: 1 }],
		['truncate_body', { status: 204, truncate_body: 0 }],
		['slow_body_ms', { status: 204, slow_body_ms: 5 }],
		['path', { path: 'user/calls', status: 500 }],
		['method', { method: 'BREW', status: 500 }],
		['token', { token: '', status: 500 }],
		['body_field.name', { body_field: { equals: 1 }, status: 500 }],
		['body_field.path', { body_field: { name: 'a', path: 'b' }, status: 500 }],
		['content_type', { content_type: 'a\nb' }],
		['malformed_json', { malformed_json: 'yes' }],
		['truncate_body', { truncate_body: -1 }],
		['slow_body_ms', { slow_body_ms: 60_001 }],
		['slow_first_byte_ms', { slow_first_byte_ms: 0.5 }],
		['skip_first', { status: 500, skip_first: -1 }],
		['ttl', { status: 500, ttl: 'ten minutes' }],
		['target', { target: 'tools', status: 500 }],
		['duplicate', { duplicate: 1, status: 500 }],
		['status', { preset: 'outage', status: 500 }],
		['preset', { preset: 'no such preset' }],
		['status', { target: 'deliveries', status: 500, duplicate: 1 }],
		['event', { target: 'deliveries', event: 'preCall', duplicate: 1 }],
		['assistant_id', { target: 'deliveries', assistant_id: 'x', duplicate: 1 }],
		['duplicate', { target: 'deliveries', duplicate: 0 }],
		['delay', { target: 'deliveries', delay: 'PT0S' }],
		['delay', { target: 'deliveries', delay: 5 }],
		['retry', { target: 'deliveries', retry: [] }],
		['retry.1', { target: 'deliveries', retry: ['PT5S', 'soon'] }],
	] satisfies [string, FaultRule | DeliveryFaultRule | JsonObject][])(
		'for its %s: %j',
		async (field, rule) => {
			const { errors } = await refusal(rule);
			expect(Object.keys(asObject(errors, 'errors'))).toContain(field);
		},
	);

	it.each([[[]], [null], ['outage'], [5]])('when it is %j', async (rule) => {
		await refusal(rule);
	});
});
