import { describe, expect, it } from '@jest/globals';
import { operations } from '../support/sandbox/contract.mts';
import { observe } from '../support/sandbox/raw.mts';
import { ALICE, newTool } from '../support/sandbox/seed.mts';
import { startService } from '../support/sandbox/service.mts';
import { startTestService } from '../support/sandbox/testService.mts';

const service = await startTestService();

describe('faults', () => {
	const calls = () => service.alice.request('GET', '/user/calls', { ignoreContract: true });
	const createTool = () =>
		service.alice.request('POST', '/user/tools', { json: newTool, ignoreContract: true });

	it('status, body and headers, as often as asked for, and then the service is itself again', async () => {
		await service.control.fault({
			operation: 'listCalls',
			status: 429,
			body: { message: 'Too Many Attempts.', retry_after: 7 },
			headers: { 'Retry-After': '7' },
			times: 2,
		});
		for (const status of [429, 429, 200]) {
			const response = await calls();
			expect(response.status).toBe(status);
			expect(response.headers.get('retry-after')).toBe(status === 429 ? '7' : null);
			if (status === 429)
				expect(response.body).toEqual({ message: 'Too Many Attempts.', retry_after: 7 });
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
			const response = await service.alice.request(method, path.replace('{id}', '1'), {
				ignoreContract: true,
				...(method === 'GET' ? {} : { json: {} }),
			});
			expect(response.status).toBe(503);
		}
		expect((await calls()).status).toBe(200);
	});

	it('with a status alone are answered in the service’s shape', async () => {
		for (const status of [400, 401, 403, 404, 422, 429, 500, 503]) {
			await service.control.fault({ operation: 'listCalls', status, times: 1 });
			const response = await calls();
			expect(response.status).toBe(status);
			expect(response.body).toMatchObject({ message: expect.stringMatching(/\w/) });
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
		const response = await calls();
		expect([response.status, response.text, response.headers.get('content-type')]).toEqual([
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
		const response = await calls();
		expect([response.status, response.text]).toEqual([200, '<html></html>']);
	});

	it('an empty body', async () => {
		await service.control.fault({ operation: 'listCalls', status: 200, body: '', times: 1 });
		const response = await calls();
		expect([response.status, response.text]).toEqual([200, '']);
	});

	it('a body of null', async () => {
		await service.control.fault({ operation: 'listCalls', status: 200, body: null });
		const response = await calls();
		expect([response.status, response.text]).toEqual([200, 'null']);
	});

	it('a redirect', async () => {
		await service.control.fault({
			operation: 'listCalls',
			status: 302,
			headers: { Location: 'https://example.com/elsewhere' },
			times: 1,
		});
		const response = await calls();
		expect([response.status, response.headers.get('location')]).toEqual([
			302,
			'https://example.com/elsewhere',
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

	it('a body that is cut off: the connection closes after some bytes of the whole', async () => {
		const whole = await observe(service, '/user/calls');
		for (const [bytes, received] of [
			[10, 10],
			[0, 0],
			[1_000_000, whole.text.length - 1],
		] as const) {
			await service.control.fault({ operation: 'listCalls', truncate_body: bytes });
			const cut = await observe(service, '/user/calls');
			expect(cut).toMatchObject({ status: 200, isWhole: false });
			expect(cut.headers['content-length']).toBe(whole.headers['content-length']);
			expect(cut.headers['content-type']).toBe(whole.headers['content-type']);
			expect(cut.text).toBe(whole.text.slice(0, received));
		}
	});

	it('a body that is cut off: of an error, and of a body of the rule', async () => {
		await service.control.fault({ status: 503, body: { message: 'Down' }, truncate_body: 9 });
		expect(await observe(service, '/user/calls')).toMatchObject({
			status: 503,
			text: '{"message',
			isWhole: false,
		});
	});

	it('a body that is no JSON any more', async () => {
		await service.control.fault({ operation: 'listCalls', malformed_json: true });
		const { status, text, headers, isWhole } = await observe(service, '/user/calls');
		expect([status, isWhole, headers['content-type']]).toEqual([
			200,
			true,
			'application/json; charset=utf-8',
		]);
		expect(text).toMatch(/^\{"current_page":1,/);
		expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
		await service.control.fault({ body: 12, malformed_json: true });
		expect((await observe(service, '/user/calls')).text).toBe('1,');
	});

	it('a type that the body does not have', async () => {
		const whole = await observe(service, '/user/calls');
		await service.control.fault({ operation: 'listCalls', content_type: 'text/html' });
		const wrong = await observe(service, '/user/calls');
		expect(wrong.headers['content-type']).toBe('text/html');
		expect(wrong.text).toBe(whole.text);
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
		for (let free = 0; free < 2; free += 1) expect((await createTool()).status).toBe(201);
		expect((await createTool()).status).toBe(422);
		given.abort();
		await expect(late).rejects.toThrow();

		await service.control.fault({ operation: 'listCalls', slow_first_byte_ms: 150 });
		const { firstByteMs, isWhole } = await observe(service, '/user/calls');
		expect(isWhole).toBe(true);
		expect(firstByteMs).toBeGreaterThanOrEqual(145);
	});

	it('a body that comes slowly, in parts', async () => {
		const whole = await observe(service, '/user/assistants/get');
		await service.control.fault({ operation: 'listAssistants', slow_body_ms: 300 });
		const slow = await observe(service, '/user/assistants/get');
		expect(slow).toMatchObject({ status: 200, isWhole: true, text: whole.text });
		expect(slow.bodyMs).toBeGreaterThanOrEqual(250);
		expect(slow.chunks).toBeGreaterThan(2);
	});

	it('a body of one byte that comes slowly', async () => {
		await service.control.fault({ body: 1, slow_body_ms: 100 });
		expect(await observe(service, '/user/calls')).toMatchObject({ text: '1', isWhole: true });
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

	it('hit one request unless told otherwise, and drop: true is drop: before', async () => {
		await service.control.fault({ operation: 'createTool', drop: true });
		await expect(createTool()).rejects.toThrow();
		for (let free = 0; free < 3; free += 1) expect((await createTool()).status).toBe(201);
		expect((await createTool()).status).toBe(422);
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
