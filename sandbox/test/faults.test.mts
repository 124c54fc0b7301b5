import { expect, it } from '@jest/globals';
import type { FaultRule } from '../client.mts';
import { observe } from './support/raw.mts';
import { ALICE, newTool } from './support/seed.mts';
import { startService } from './support/service.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

const calls = () => service.alice.request('GET', '/user/calls', { ignoreContract: true });
const createTool = () =>
	service.alice.request('POST', '/user/tools', { json: newTool, ignoreContract: true });
/** Fails unless Alice can create so many tools, and no more: her quota is 5, and she has two. */
const expectFreeTools = async (count: number) => {
	for (let free = 0; free < count; free += 1) expect((await createTool()).status).toBe(201);
	expect((await createTool()).status).toBe(422);
};
const observeCalls = () => observe(service, '/user/calls');

it.each<[what: string, rule: FaultRule, shown: object]>([
	...[400, 401, 403, 404, 422, 429, 500, 503].map((status): [string, FaultRule, object] => [
		`a status alone: ${status}`,
		{ status },
		{ status, body: { message: expect.stringMatching(/\w/) } },
	]),
	[
		'an HTML page',
		{ status: 502, body: '<h1>Away</h1>', headers: { 'Content-Type': 'text/html' } },
		{ status: 502, text: '<h1>Away</h1>', type: 'text/html' },
	],
	[
		'an HTML page with status 200',
		{ status: 200, body: '<html></html>', headers: { 'Content-Type': 'text/html' } },
		{ status: 200, text: '<html></html>', type: 'text/html' },
	],
	[
		'an object with a header of its own',
		{ status: 429, body: { retry_after: 7 }, headers: { 'Retry-After': '7' } },
		{ status: 429, body: { retry_after: 7 }, wait: '7' },
	],
	['an empty body', { status: 200, body: '' }, { status: 200, text: '' }],
	['a body of null', { status: 200, body: null }, { status: 200, text: 'null' }],
	[
		'a redirect',
		{ status: 302, headers: { Location: 'https://example.com/elsewhere' } },
		{ status: 302, location: 'https://example.com/elsewhere' },
	],
])('%s', async (_what, rule, shown) => {
	await service.control.fault({ operation: 'listCalls', ...rule });
	const { status, text, body, headers } = await calls();
	const [type, location, wait] = ['content-type', 'location', 'retry-after'].map((name) =>
		headers.get(name),
	);
	expect({ status, text, body, type, location, wait }).toMatchObject(shown);
	expect((await calls()).status).toBe(200);
});

it.each<[what: string, rule: FaultRule, free: number]>([
	['a refused write is not carried out', { status: 500 }, 3],
	['a connection closed before: nothing was done', { drop: 'before' }, 3],
	['a connection closed: nothing was done', { drop: true }, 3],
	['a connection closed after: it was done, though nobody was told', { drop: 'after' }, 2],
])('%s', async (_what, rule, free) => {
	await service.control.fault({ operation: 'createTool', ...rule });
	if (rule.status !== undefined) expect((await createTool()).status).toBe(rule.status);
	else await expect(createTool()).rejects.toThrow();
	await expectFreeTools(free);
});

it.each([
	['POST', '/user/assistant', 'Assistant creation failed'],
	['PUT', '/user/assistant/1', 'Assistant update failed'],
	['POST', '/user/sms', 'Failed to send SMS'],
])('%s %s fails → 500 %s', async (method, path, message) => {
	await service.control.fault({ status: 500 });
	const { status, body } = await service.alice.request(method, path, { json: {} });
	expect({ status, body }).toEqual({ status: 500, body: { message } });
});

it('a body that is cut off: the connection closes after some bytes of the whole', async () => {
	const whole = await observeCalls();
	for (const [bytes, received] of [
		[10, 10],
		[0, 0],
		[1_000_000, whole.text.length - 1],
	] as const) {
		await service.control.fault({ operation: 'listCalls', truncate_body: bytes });
		const cut = await observeCalls();
		expect(cut).toMatchObject({ status: 200, isWhole: false });
		expect(cut.headers['content-length']).toBe(whole.headers['content-length']);
		expect(cut.headers['content-type']).toBe(whole.headers['content-type']);
		expect(cut.text).toBe(whole.text.slice(0, received));
	}
	await service.control.fault({ status: 503, body: { message: 'Down' }, truncate_body: 9 });
	const error = { status: 503, text: '{"message', isWhole: false };
	expect(await observeCalls()).toMatchObject(error);
});

it('a body that is no JSON any more', async () => {
	await service.control.fault({ operation: 'listCalls', malformed_json: true });
	const { status, text, headers, isWhole } = await observeCalls();
	const type = 'application/json; charset=utf-8';
	expect([status, isWhole, headers['content-type']]).toEqual([200, true, type]);
	expect(text).toMatch(/^\{"current_page":1,/);
	expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
	await service.control.fault({ body: 12, malformed_json: true });
	expect((await observeCalls()).text).toBe('1,');
});

it('a first byte that comes late, after the request was carried out', async () => {
	await service.control.fault({ operation: 'createTool', slow_first_byte_ms: 60_000 });
	const given = new AbortController();
	const late = fetch(`${service.url}/user/tools`, {
		method: 'POST',
		headers: { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' },
		body: JSON.stringify(newTool),
		signal: given.signal,
	});
	// The tool is there while its creator waits: the quota has room for three.
	while ((await service.control.faults()).length > 0);
	await expectFreeTools(2);
	given.abort();
	await expect(late).rejects.toThrow();
});

it('a body that comes slowly, in parts', async () => {
	const whole = await observe(service, '/user/assistants/get');
	await service.control.fault({ operation: 'listAssistants', slow_body_ms: 300 });
	const slow = await observe(service, '/user/assistants/get');
	expect(slow).toMatchObject({ status: 200, isWhole: true, text: whole.text });
	expect(slow.bodyMs).toBeGreaterThanOrEqual(250);
	expect(slow.chunks).toBeGreaterThan(2);
	await service.control.fault({ body: 1, slow_body_ms: 100 });
	expect(await observeCalls()).toMatchObject({ text: '1', isWhole: true });
});

it('several at once: late, slowly, of a wrong type, and cut off', async () => {
	await service.control.fault({
		operation: 'listAssistants',
		delay_ms: 50,
		slow_first_byte_ms: 50,
		slow_body_ms: 100,
		content_type: 'text/plain',
		truncate_body: 50,
	});
	const response = await observe(service, '/user/assistants/get');
	expect(response).toMatchObject({ status: 200, isWhole: false });
	expect(response.headers['content-type']).toBe('text/plain');
	expect(response.text).toHaveLength(50);
	expect(response.firstByteMs).toBeGreaterThanOrEqual(95);
	const [request] = await service.control.requests();
	expect(request).toMatchObject({ status: 200, fault: expect.any(Number) });
	expect((await calls()).status).toBe(200);
});

it('that are under way do not keep the sandbox from closing', async () => {
	const own = await startService();
	for (const field of ['delay_ms', 'slow_first_byte_ms', 'slow_body_ms']) {
		await own.control.fault({ [field]: 60_000 });
	}
	const responses = Array.from({ length: 3 }, () => observe(own, '/user/calls'));
	while ((await own.control.faults()).length > 0);
	await own.close();
	for (const response of await Promise.all(responses)) expect(response.isWhole).toBe(false);
});

it('hit as often as is likely, the same requests every time, until used up', async () => {
	const play = async () => {
		await service.control.clearFaults();
		await service.control.fault({ status: 503, probability: 0.25, times: 10 });
		const statuses: number[] = [];
		for (let request = 0; request < 100; request += 1) statuses.push((await calls()).status);
		return statuses;
	};
	const first = await play();
	expect(first.filter((status) => status === 503)).toHaveLength(10);
	expect(first.slice(0, 10)).toContain(200);
	expect(first.slice(60)).toEqual(Array.from({ length: 40 }, () => 200));
	expect(await play()).toEqual(first);
});
