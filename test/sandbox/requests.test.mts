import { describe, expect, it } from '@jest/globals';
import { sendRequest } from '../support/sandbox/client.mts';
import { startTestService } from '../support/sandbox/testService.mts';
import { ALICE, newTool } from '../support/sandbox/seed.mts';

const service = await startTestService();

describe('the journal of requests', () => {
	const calls = () => service.alice.request('GET', '/user/calls', { ignoreContract: true });

	it('has every request to the service with its status, oldest first, and no token', async () => {
		await service.alice.get('/user/calls', { per_page: 3 });
		await service.alice.post('/user/tools', newTool);
		await service.alice.put('/user/tools/999', {});
		await sendRequest(`${service.url}/user/calls`, {
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
		await service.alice.request('GET', '/user/calls', { ignoreContract: true });
		await service.control.fault({ operation: 'listCalls', drop: 'before', times: 1 });
		await expect(
			service.alice.request('GET', '/user/calls', { ignoreContract: true }),
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

	it('has a body as it was sent, without the defaults that the service fills in', async () => {
		await service.alice.post('/user/tools', newTool);
		expect((await service.control.requests())[0]?.body).toEqual(newTool);
	});

	it('counts the requests that are answered at the same time', async () => {
		await service.control.fault({ operation: 'listCalls', delay_ms: 2000, times: 5 });
		await Promise.all(Array.from({ length: 5 }, calls));
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
		expect(body).toMatchObject({
			data: [{ query: { page: '2' } }, { query: { page: '3' } }],
			total: 3,
		});
		for (const path of ['/requests?last=0', '/requests?last=few', '/calls?first=1']) {
			expect((await service.control.request('GET', path)).status).toBe(422);
		}
	});

	it('does not have control requests', async () => {
		await service.control.request('GET', '/health');
		expect(await service.control.requests()).toEqual([]);
	});
});
