import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { DeliveryFaultRule, FaultRule } from '../../sandbox/client.mts';
import type { ServiceClient } from '../support/sandbox/client.mts';
import { asObject, objectsOf, type JsonObject } from '../support/sandbox/contract.mts';
import { observe } from '../support/sandbox/raw.mts';
import { ALICE, BOB, newTool } from '../support/sandbox/seed.mts';
import { startOwnService, startTestService } from '../support/sandbox/testService.mts';
import { percentile } from '../support/percentile.mts';

const service = await startTestService();

const statusOf = async (method: string, path: string, json?: unknown, user = service.alice) =>
	(await user.request(method, path, { ignoreContract: true, ...(json !== undefined && { json }) }))
		.status;
const calls = (user = service.alice) => statusOf('GET', '/user/calls', undefined, user);

describe('a rule tells requests by', () => {
	const HIT = 418;
	const hitBy = (rule: FaultRule) => service.control.fault({ status: HIT, ...rule });

	it('its path, whole or with stars', async () => {
		const changeLead = (id: number) => statusOf('PUT', `/user/leads/${id}`, { status: 'created' });
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
		expect([await statusOf('GET', '/nowhere'), await statusOf('GET', '/nowhere')]).toEqual([
			HIT,
			404,
		]);
	});

	it('its method', async () => {
		await hitBy({ method: 'POST' });
		expect(await calls()).toBe(200);
		expect(await statusOf('POST', '/user/tools', newTool)).toBe(HIT);
	});

	it('its token, whether or not a user has it', async () => {
		await hitBy({ token: BOB });
		await hitBy({ token: 'nobody-has-this-token' });
		expect([await calls(), await calls(service.bob), await calls(service.bob)]).toEqual([
			200,
			HIT,
			200,
		]);
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
		expect(await statusOf('PUT', '/user/tools/1', passed)).not.toBe(HIT);
		expect(await calls()).toBe(200);
		expect(await statusOf('PUT', '/user/tools/1', hit)).toBe(HIT);
	});

	it('all of it together', async () => {
		await hitBy({
			path: '/api/user/*',
			method: 'PUT',
			token: ALICE,
			body_field: { name: 'timeout' },
		});
		const change = (user = service.alice, fields: object = { timeout: 3 }) =>
			statusOf('PUT', '/user/tools/1', fields, user);
		expect(await change(service.bob)).not.toBe(HIT);
		expect(await change(service.alice, {})).not.toBe(HIT);
		expect(await change()).toBe(HIT);
	});

	it('the order of the rules, however they tell them', async () => {
		await hitBy({ path: '*', status: 501 });
		await hitBy({ operation: 'listCalls', status: 502 });
		await hitBy({ token: ALICE, status: 503 });
		await hitBy({ path: '/api/user/calls', status: 504 });
		await hitBy({ status: 505 });
		const statuses: number[] = [];
		for (let request = 0; request < 6; request += 1) statuses.push(await calls());
		expect(statuses).toEqual([501, 502, 503, 504, 505, 200]);
	});
});

describe('a rule ends', () => {
	it('after its time, which is the time of the sandbox', async () => {
		await service.control.fault({ status: 503, times: 100, ttl: 'PT10M' });
		await service.control.advance('PT9M59S');
		expect(await calls()).toBe(503);
		expect(await service.control.faults()).toMatchObject([{ ttl: 'PT10M', times: 99 }]);
		await service.control.advance('PT1S');
		expect(await calls()).toBe(200);
		expect(await service.control.faults()).toEqual([]);
	});

	it('says when it ends', async () => {
		const now = asObject((await service.control.request('GET', '/health')).body, 'health').now;
		const { expires_at: end } = await service.control.fault({ status: 503, ttl: 'PT1H' });
		expect(Date.parse(String(end)) - Date.parse(String(now))).toBe(3_600_000);
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
	expect(await statusOf('POST', '/user/tools', newTool)).toBe(201);
	const statuses: number[] = [];
	for (let request = 0; request < 5; request += 1) statuses.push(await calls());
	expect(statuses).toEqual([200, 200, 503, 503, 200]);
});

describe('a token', () => {
	it('of a rule is never shown', async () => {
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
});

describe('presets', () => {
	const presets = async () =>
		objectsOf(
			asObject((await service.control.request('GET', '/fault-presets')).body, 'presets').data,
		);

	it('have a name, a title, a sentence and rules', async () => {
		const all = await presets();
		expect(all.map(({ name }) => name)).toEqual([
			'rate-limit',
			'flaky',
			'outage',
			'slow',
			'html-error-page',
			'lost-answers',
		]);
		for (const preset of all) {
			expect(preset).toEqual({
				name: expect.any(String),
				title: expect.stringMatching(/^[A-Z]/),
				description: expect.stringMatching(/^[A-Z].*\.$/),
				rules: expect.any(Array),
			});
		}
	});

	it('are added by name, as rules that the list shows, and that are accepted as they are', async () => {
		for (const { name, rules } of await presets()) {
			const added = await service.control.faultPreset(String(name));
			expect(added).toMatchObject(objectsOf(rules).map((rule) => ({ ...rule, preset: name })));
			expect(await service.control.faults()).toEqual(added);
			await service.control.clearFaults();
			for (const rule of objectsOf(rules)) await service.control.fault(rule);
			await service.control.clearFaults();
		}
	});

	it('do what they say', async () => {
		await service.control.faultPreset('rate-limit');
		const limited = await observe(service, '/user/calls');
		expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
		await service.control.clearFaults();

		await service.control.faultPreset('html-error-page');
		const page = await observe(service, '/user/calls');
		expect(page.headers['content-type']).toContain('text/html');
		expect([page.status, page.text]).toEqual([502, expect.stringContaining('Bad Gateway')]);
		await service.control.clearFaults();

		await service.control.faultPreset('lost-answers');
		expect(await calls()).toBe(200);
		await expect(statusOf('POST', '/user/tools', newTool)).rejects.toThrow();
		await service.control.clearFaults();
		for (let free = 0; free < 2; free += 1) {
			expect(await statusOf('POST', '/user/tools', newTool)).toBe(201);
		}
		expect(await statusOf('POST', '/user/tools', newTool)).toBe(422);

		await service.control.faultPreset('outage');
		expect([await calls(), await calls(service.bob)]).toEqual([503, 503]);
		await service.control.advance('PT10M');
		expect(await calls()).toBe(200);
	});

	it('that are not there are refused, and the message names those that are', async () => {
		const response = await service.control.request('POST', '/faults', { preset: 'sunshine' });
		expect(response).toMatchObject({
			status: 422,
			body: { errors: { preset: [expect.any(String)] } },
		});
		expect(response.text).toContain('lost-answers');
		expect(await service.control.faults()).toEqual([]);
	});
});

describe('a rule is refused', () => {
	const refusal = async (rule: unknown) => {
		const response = await service.control.request('POST', '/faults', rule);
		expect({ rule, status: response.status }).toEqual({ rule, status: 422 });
		expect(await service.control.faults()).toEqual([]);
		return asObject(response.body, response.text);
	};

	const matchers = fc.record<Partial<FaultRule>>(
		{
			operation: fc.constantFrom('listCalls', 'createLead'),
			path: fc.constantFrom('/api/user/*', '*'),
			token: fc.string({ minLength: 1 }),
			body_field: fc.record({ name: fc.string({ minLength: 1 }) }),
			times: fc.integer({ min: 1, max: 1000 }),
			skip_first: fc.nat(5),
			probability: fc.double({ min: 0.1, max: 1, noNaN: true }),
			ttl: fc.constantFrom('PT1S', 'P1D'),
		},
		{ requiredKeys: [] },
	);
	const nothing = fc.record<Partial<FaultRule>>(
		{
			delay_ms: fc.constant(0),
			slow_first_byte_ms: fc.constant(0),
			slow_body_ms: fc.constant(0),
			drop: fc.constant(false),
		},
		{ requiredKeys: [] },
	);

	it('when it has no effect; the message names the effects', async () => {
		await fc.assert(
			fc.asyncProperty(matchers, nothing, async (rule, effects) => {
				const { message } = await refusal({ ...rule, ...effects });
				expect(message).toMatch(/status, body, .*truncate_body, .*drop/);
			}),
			{ numRuns: 50 },
		);
		const { message } = await refusal({ target: 'deliveries', event: 'postCall', times: 3 });
		expect(message).toContain('duplicate, delay or retry');
	});

	it('when it drops the connection and says how to respond; each field is named', async () => {
		const responses = fc.record<Partial<FaultRule>>(
			{
				status: fc.constantFrom(200, 503),
				body: fc.jsonValue(),
				headers: fc.constant({ 'Retry-After': '1' }),
				malformed_json: fc.constant(true as const),
				truncate_body: fc.nat(),
				slow_first_byte_ms: fc.nat(1000),
				slow_body_ms: fc.nat(1000),
			},
			{ requiredKeys: [] },
		);
		await fc.assert(
			fc.asyncProperty(
				matchers,
				responses.filter((fields) => Object.keys(fields).length > 0),
				fc.constantFrom(true, 'before', 'after'),
				async (rule, fields, drop) => {
					const { errors } = await refusal({ ...rule, ...fields, drop });
					expect(Object.keys(asObject(errors, 'errors'))).toEqual(
						expect.arrayContaining(Object.keys(fields)),
					);
				},
			),
			{ numRuns: 100 },
		);
	});

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

it('10,000 rules do not slow the requests that they do not hit', async () => {
	const kinds: Array<(number: number) => FaultRule> = [
		() => ({ operation: 'sendSms' }),
		(number) => ({ path: `/api/user/leads/${number}` }),
		(number) => ({ path: `/api/user/leads/${number}/*` }),
		(number) => ({ token: `token-${number}` }),
		() => ({ method: 'DELETE' }),
		(number) => ({ body_field: { name: 'phone_number', equals: `+1415${number}` } }),
	];
	const timeMs = async (user: ServiceClient) => {
		const begin = performance.now();
		expect(await calls(user)).toBe(200);
		return performance.now() - begin;
	};
	await using other = await startOwnService();
	for (let number = 0; number < 10_000; number += 100) {
		const rules = Array.from({ length: 100 }, (_, index) => kinds[index % 6]?.(number + index));
		await Promise.all(rules.map((rule) => service.control.fault({ status: 503, ...rule })));
	}
	// Side by side, and without the slow half: other programs slow both.
	const without: number[] = [];
	const withRules: number[] = [];
	for (let request = 0; request < 300; request += 1) {
		without.push(await timeMs(other.alice));
		withRules.push(await timeMs(service.alice));
	}
	expect(percentile(withRules, 0.25)).toBeLessThan(1.3 * percentile(without, 0.25));
	expect(await service.control.faults()).toHaveLength(10_000);
}, 180_000);
