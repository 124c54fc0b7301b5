import { describe, expect, it } from '@jest/globals';
import { sendRequest, rowsOf } from '../support/sandbox/client.mts';
import { operations } from '../support/sandbox/contract.mts';
import { expectResponse } from '../support/sandbox/responses.mts';
import { startTestService } from '../support/sandbox/testService.mts';
import { newAssistant, newTool } from '../support/sandbox/seed.mts';

const service = await startTestService();

const headersWithoutToken: [what: string, headers: Record<string, string>][] = [
	['no Authorization header', {}],
	['an empty Authorization header', { Authorization: '' }],
	['Bearer without a token', { Authorization: 'Bearer ' }],
	['a token without Bearer', { Authorization: 'alice-token' }],
	['Basic credentials', { Authorization: 'Basic YWxpY2UtdG9rZW46' }],
	['an unknown token', { Authorization: 'Bearer nobody' }],
	['the beginning of a token', { Authorization: 'Bearer alice-toke' }],
	['a token with something after it', { Authorization: 'Bearer alice-token x' }],
	['a token in capitals', { Authorization: 'Bearer ALICE-TOKEN' }],
	['two tokens', { Authorization: 'Bearer alice-token, Bearer bob-token' }],
];

describe.each(operations)('$method $path', ({ method, path }) => {
	it.each(headersWithoutToken)('%s → 401', async (_what, headers) => {
		const response = await sendRequest(service.url + path.replace('{id}', '1'), {
			method,
			headers: { ...headers, ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }) },
			body: method === 'GET' ? undefined : '{}',
		});
		expectResponse(response, 401, { message: 'Unauthenticated.' });
	});

	it('the token is looked at before anything else', async () => {
		const response = await sendRequest(service.url + path.replace('{id}', 'nonsense'), {
			method,
			headers: { Authorization: 'Bearer nobody' },
			body: method === 'GET' ? undefined : 'not json',
		});
		expect(response.status).toBe(401);
	});
});

describe('the bearer scheme', () => {
	it.each(['Bearer', 'bearer', 'BEARER'])('is accepted as %s', async (scheme) => {
		const response = await sendRequest(`${service.url}/user/calls`, {
			headers: { Authorization: `${scheme} alice-token` },
		});
		expect(response.status).toBe(200);
	});
});

// contract: Authentication – "A resource that does not exist or belongs to another user is reported as not
// found": both responses must be identical.
describe('what belongs to another user', () => {
	const paths: [method: string, path: (id: number) => string, body: (id: number) => object][] = [
		['PUT', (id) => `/user/assistant/${id}`, () => ({ assistant_name: 'Taken' })],
		['PUT', (id) => `/user/leads/${id}`, () => ({ status: 'completed' })],
		['PUT', (id) => `/user/tools/${id}`, () => ({ timeout: 5 })],
		['POST', () => '/user/assistants/disable-webhook', (id) => ({ assistant_id: id })],
		[
			'POST',
			() => '/user/assistants/enable-inbound-webhook',
			(id) => ({ assistant_id: id, webhook_url: 'https://example.com' }),
		],
		['POST', () => '/user/assistants/disable-inbound-webhook', (id) => ({ assistant_id: id })],
		['POST', () => '/user/campaigns/update-status', (id) => ({ campaign_id: id, action: 'start' })],
		['POST', () => '/user/lead', (id) => ({ campaign_id: id, phone_number: '+4915112345699' })],
		['PUT', () => '/user/leads/1', (id) => ({ campaign_id: id })],
		['POST', () => '/user/sms', (id) => ({ from: id, to: '+4915112345699', body: 'Hello' })],
		['POST', () => '/user/assistant', (id) => ({ ...newAssistant, phone_number_id: id })],
		['POST', () => '/user/assistant', (id) => ({ ...newAssistant, tool_ids: [1, id] })],
		['PUT', () => '/user/assistant/1', (id) => ({ phone_number_id: id })],
		['PUT', () => '/user/assistant/1', (id) => ({ tool_ids: [id] })],
	];
	it('is asked for by every operation that names a record', () => {
		const namesNone = ['createTool', 'listAssistants', 'listCalls'];
		const tried = operations.filter(({ method, path }) =>
			paths.some(([verb, at]) => verb === method && path.replace('{id}', '1') === at(1)),
		);
		expect([...tried.map(({ operationId }) => operationId), ...namesNone].sort()).toEqual(
			operations.map(({ operationId }) => operationId).sort(),
		);
	});

	it.each(paths)('%s %p is answered like what does not exist', async (method, path, body) => {
		const [foreign, unknown] = await Promise.all(
			[101, 999].map((id) => service.alice.request(method, path(id), { json: body(id) })),
		);
		expect(foreign?.status).toBeGreaterThanOrEqual(400);
		expect(foreign?.status).toBeLessThan(500);
		expect([foreign?.status, foreign?.body]).toEqual([unknown?.status, unknown?.body]);
	});

	it('is not in the lists', async () => {
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await service.control.outbound({ assistant_id: 101, to: '+33612345611' });
		const lists = await Promise.all(
			[service.alice, service.bob].flatMap((user) =>
				['/user/assistants/get', '/user/calls'].map(async (path) => rowsOf(await user.get(path))),
			),
		);
		expect(lists.map((rows) => rows.map((row) => row.name ?? row.assistant_name))).toEqual([
			['Caller', 'Receiver'],
			['Caller'],
			['Bob caller'],
			['Bob caller'],
		]);
	});

	it('is not found through filters either', async () => {
		await service.control.outbound({ assistant_id: 101, to: '+33612345611' });
		for (const [name, value] of [
			['assistant_id', 101],
			['campaign_id', 101],
			['phone_number', '+33612345611'],
		] as const) {
			expect(rowsOf(await service.alice.get('/user/calls', { [name]: value }))).toEqual([]);
		}
	});

	it('stays as it was', async () => {
		const before = await service.bob.get('/user/assistants/get');
		await service.alice.put('/user/assistant/101', {
			assistant_name: 'Taken',
			webhook_url: 'https://example.com',
			is_webhook_active: true,
		});
		await service.alice.post('/user/assistants/enable-inbound-webhook', {
			assistant_id: 101,
			webhook_url: 'https://example.com',
		});
		expect((await service.bob.get('/user/assistants/get')).body).toEqual(before.body);
	});

	it('may have the same names: they do not get in each other’s way', async () => {
		expect((await service.bob.post('/user/tools', newTool)).status).toBe(201);
		expect((await service.alice.post('/user/tools', newTool)).status).toBe(201);
	});
});
