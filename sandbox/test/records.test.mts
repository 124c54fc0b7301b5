import { describe, expect, it } from '@jest/globals';
import { completeCall, enableWebhook, startCall } from './support/calls.mts';
import { asObject, getObjects, type JsonObject } from './support/contract.mts';
import { ALICE, BOB, newTool } from './support/seed.mts';
import { serviceAndReceiver } from './support/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const { control } = service;

const page = async (path: string) => {
	const { status, text, body } = await control.request('GET', `/records/${path}`);
	if (status !== 200) throw new Error(text);
	const { data, more, total } = asObject(body, 'list');
	return { rows: getObjects(data), more, total };
};
const record = async (path: string) =>
	asObject((await control.request('GET', `/records/${path}`)).body, path);

/**
 * Alice's lead 1 was reached (call 1), her assistant 2 was busy (call 2), Bob's assistant 101 is in a call
 * (call 3). Alice's assistant 1 used its tool, and both of her webhooks were delivered, the second one in vain.
 */
async function someDay(): Promise<void> {
	receiver.respondWith(({ body }, response) => {
		response.writeHead(body.id === 1 ? 200 : 500).end('ok');
	});
	const variables = { city: 'Rome', offer: 'A' };
	await enableWebhook(service.alice, 1, `${receiver.url}/webhook/one?token=secret&x=1`, {
		variables,
	});
	await enableWebhook(service.alice, 2, `${receiver.url}/webhook-test/two`);
	await service.alice.put('/user/tools/1', {
		endpoint: `${receiver.url}/tool`,
		headers: [{ name: 'X-Key', value: 'hidden-key' }],
	});
	await startCall(service, { lead_id: 1, scenario: 'tool-call' });
	await control.advance('PT5M');
	await control.inbound({ assistant_id: 2, from: '+4915112345677', scenario: 'busy' });
	await control.advance('PT5M');
	await control.outbound({ assistant_id: 101, to: '+33612345611', lead_id: 101 });
	await service.alice.post('/user/sms', { from: 1, to: '+4915112345611', body: 'See you' });
	await service.bob.post('/user/sms', { from: 101, to: '+4915112345611', body: 'From Bob' });
	await service.alice.post('/user/assistants/enable-inbound-webhook', {
		assistant_id: 2,
		webhook_url: 'https://crm.example/calls',
	});
}

const LISTS: [path: string, expected: number[]][] = [
	['calls', [3, 2, 1]],
	['calls?status=busy', [2]],
	['calls?scenario=tool-call', [1]],
	['calls?assistant_id=1', [1]],
	['calls?campaign_id=101', [3]],
	['calls?lead_id=1', [1]],
	['calls?running=true', [3]],
	['calls?running=false', [2, 1]],
	['calls?type=inbound', [2]],
	['calls?search=345677', [2]],
	['calls?search=%25', []],
	['calls?status=completed&running=false&type=outbound&campaign_id=1&search=%2B49', [1]],
	['calls?status=completed&assistant_id=2', []],
	['leads', [101, 1]],
	['leads?campaign_id=1', [1]],
	['leads?status=completed', [1]],
	['leads?status=created&campaign_id=1', []],
	['leads?search=%2B336', [101]],
	['leads?search=jane', [1]],
	['campaigns', [101, 2, 1]],
	['campaigns?search=sPrInG', [1]],
	['assistants', [101, 2, 1]],
	['assistants?search=caller', [101, 1]],
	['tools', [101, 2, 1]],
	['tools?search=book_', [2]],
	['tools?search=tools.example.com', [101, 2]],
	['messages', [2, 1]],
	['messages?to=%2B4915112345611', [2, 1]],
	['messages?to=%2B4915112345612', []],
	['messages?search=345611', [2, 1]],
	['deliveries', [2, 1]],
	['deliveries?state=delivered', [1]],
	['deliveries?event=postCall&call_id=2', [2]],
	['deliveries?event=inboundCall', []],
	['deliveries?assistant_id=1', [1]],
	['deliveries?search=/webhook-test/', [2]],
	['tool-requests', [1]],
	['tool-requests?state=answered&call_id=1', [1]],
	['tool-requests?state=failed', []],
	['tool-requests?search=weather', [1]],
	['users', [2, 1]],
];

describe('the lists of records', () => {
	it('have the records that are asked for, the newest first', async () => {
		await someDay();
		for (const [path, expected] of LISTS) {
			const { rows, more, total } = await page(path);
			const found = rows.map(({ id }) => id);
			expect({ path, found, more, total }).toEqual({
				path,
				found: expected,
				more: false,
				total: expected.length,
			});
		}
	});

	it('come page by page, the newest first', async () => {
		for (let call = 0; call < 7; call += 1)
			await startCall(service, { to: `+491511234561${call % 2}` });
		const PAGES: [query: string, ids: number[], more: boolean, total: number][] = [
			['limit=3', [7, 6, 5], true, 7],
			['limit=3&before=5', [4, 3, 2], true, 7],
			['limit=3&before=2', [1], false, 7],
			['limit=2&before=5&search=611', [4, 2], false, 3],
		];
		for (const [query, expected, more, total] of PAGES) {
			const rows = expected.map((id) => expect.objectContaining({ id }));
			expect(await page(`calls?${query}`)).toEqual({ rows, more, total });
		}
	});

	it('name what belongs to each record, also where two users use the same name', async () => {
		await service.bob.put('/user/assistant/101', { assistant_name: 'Caller' });
		await someDay();
		expect((await page('calls')).rows).toMatchObject([
			{ user_id: 2, assistant_id: 101, assistant_name: 'Caller', campaign_name: 'Bob campaign' },
			{ user_id: 1, assistant_id: 2, assistant_name: 'Receiver', campaign_name: null },
			{ user_id: 1, assistant_id: 1, assistant_name: 'Caller', campaign_name: 'Spring' },
		]);
		expect((await page('deliveries')).rows).toMatchObject([
			{ assistant_name: 'Receiver', state: 'failed', attempt_count: 1, status: 500 },
			{ assistant_name: 'Caller', state: 'delivered', attempt_count: 1, status: 200, error: null },
		]);
		expect((await page('leads')).rows).toMatchObject([
			{ campaign_name: 'Bob campaign' },
			{ campaign_name: 'Spring', variables: { customer_name: 'Jane' } },
		]);
	});
});

describe('a whole record', () => {
	const { host } = new URL(receiver.url);
	const WHOLE: Record<string, JsonObject> = {
		'calls/1': {
			id: 1,
			status: 'completed',
			running: false,
			created_at: '2026-03-02T09:00:00.000Z',
			transcript: expect.stringContaining('Assistant:'),
			webhook_response: { status: 200 },
			assistant_id: 1,
			campaign_id: 1,
			lead_id: 1,
			scenario: 'tool-call',
			scenario_title: 'The assistant looks something up with its tool (tool-call)',
			language: 'English',
			input_variables: { customer_name: 'Jane', city: 'Bonn', offer: 'A' },
			deliveries: [{ state: 'delivered', attempts: [{ status: 200 }], body: { id: 1 } }],
			tool_requests: [{ tool_name: 'get_weather', state: 'answered', answer: 'ok' }],
			lead_name: 'Jane',
			messages: [{ to: '+4915112345611', body: 'See you', from: '+4915112345601' }],
		},
		'leads/1': {
			status: 'completed',
			next_attempt_at: null,
			campaign: { id: 1, name: 'Spring', status: 'draft' },
			assistant_name: 'Caller',
			calls: [{ id: 1, status: 'completed' }],
			input_variables: { customer_name: 'Jane', city: 'Bonn', offer: 'A' },
		},
		'campaigns/1': {
			name: 'Spring',
			assistant_name: 'Caller',
			progress: {
				created: 0,
				completed: 1,
				'reached-max-retries': 0,
				total: 1,
				running_calls: 0,
			},
			outcomes: { completed: 1 },
		},
		'campaigns/101': { progress: { created: 1, total: 1, running_calls: 1 }, outcomes: {} },
		'assistants/1': {
			name: 'Caller',
			user_id: 1,
			phone_number: '+4915112345601',
			webhook: { host, kind: 'n8n-production' },
			inbound_webhook: null,
			settings: { assistant_name: 'Caller', language: 'English' },
			tools: [{ id: 1, name: 'get_weather', schema: [] }],
			campaigns: [{ id: 1 }, { id: 2 }],
		},
		'assistants/2': {
			webhook: { host, kind: 'n8n-test' },
			inbound_webhook: { host: 'crm.example', kind: 'other' },
		},
		'tools/1': { method: newTool.method, schema: [], assistants: [{ id: 1, name: 'Caller' }] },
		'messages/1': { body: 'See you', segments: 1, lead_id: 1, call_id: 1 },
		'messages/2': { body: 'From Bob', lead_id: null, call_id: null },
		'deliveries/2': {
			event: 'postCall',
			created_at: expect.stringMatching(/^2026-03-02T09:05:04/),
			body: { id: 2, status: 'busy' },
			attempts: [{ status: 500, error: expect.any(String) }],
			next_attempt_at: null,
		},
		'tool-requests/1': { arguments: {}, status: 500 },
		'users/1': {
			name: null,
			balance: expect.any(Number),
			tool_quota: 5,
			tools: 2,
			phone_numbers: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }],
			voices: [{ name: 'Anna' }, { name: 'Ben' }],
			languages: ['English', 'German'],
		},
	};
	it('has what belongs to it', async () => {
		await someDay();
		for (const [path, expected] of Object.entries(WHOLE)) {
			expect({ path, record: await record(path) }).toMatchObject({ path, record: expected });
		}
	});

	it('of a call has no SMS that was sent before it', async () => {
		await someDay();
		await control.advance('PT1M');
		await startCall(service);
		expect(await record('calls/4')).toMatchObject({ id: 4, messages: [] });
	});

	it('of an SMS names its lead before the first call, too', async () => {
		await service.alice.post('/user/sms', { from: 1, to: '+4915112345611', body: 'Soon' });
		expect(await record('messages/1')).toMatchObject({ lead_id: 1, call_id: null });
	});

	it.each(['calls/9', 'users/0', 'tool-requests/x', 'deliveries/1'])(
		'%s: there is none',
		async (path) => {
			expect(await control.request('GET', `/records/${path}`)).toMatchObject({
				status: 404,
				body: { message: expect.stringMatching(/^There is no .+ .+\.$/) },
			});
		},
	);
});

it('passwords and keys in URLs are hidden until they are asked for', async () => {
	const withPassword = (rest: string) => `${receiver.url.replace('//', '//user:hidden@')}${rest}`;
	const withoutPassword = (rest: string) => `${receiver.url.replace('//', '//…@')}${rest}`;
	const endpoint = withPassword('/x?api_key=hidden&access_token=hidden&x=1');
	await service.alice.put('/user/tools/1', { endpoint });
	const shown = withoutPassword('/x?api_key=…&access_token=…&x=1');
	expect(await record('tools/1')).toMatchObject({ endpoint: shown });
	expect((await control.request('GET', '/records/tools')).text).not.toContain('hidden');
	expect(await record('tools/1?secrets=1')).toMatchObject({ endpoint });
	await enableWebhook(service.alice, 1, withPassword('/x?token=kept'));
	await completeCall(service);
	expect((await control.deliveries())[0]?.url).toBe(withoutPassword('/x?token=kept'));
});

it('tokens and keys are hidden until they are asked for', async () => {
	await someDay();
	const kinds = new Set(LISTS.map(([path]) => path.split('?')[0] ?? ''));
	const secret = new RegExp(`${ALICE}|${BOB}|secret|hidden-key`);
	const shown = async (path: string) =>
		secret.test((await control.request('GET', `/records/${path}`)).text);
	for (const kind of kinds) {
		expect([kind, await shown(kind), await shown(`${kind}/1`)]).toEqual([kind, false, false]);
	}
	for (const path of ['users/1', 'assistants/1', 'tools/1', 'deliveries/1'])
		expect([path, await shown(`${path}?secrets=1`)]).toEqual([path, true]);
	expect(await record('users/2?secrets=1')).toMatchObject({ token: BOB });
	expect(await record('deliveries/1')).toMatchObject({
		url: `${receiver.url}/webhook/one?token=…&x=1`,
	});
});
