import { describe, expect, it } from '@jest/globals';
import { getCalls, completeCall, enableWebhook, setCampaign, startCall } from './support/calls.mts';
import { getData } from './support/client.mts';
import { startService, type Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { ALICE, newAssistant, newTool } from './support/seed.mts';

it('rate-limit-headers x-time: what is left of the limit, and when it ends as a Unix time', async () => {
	const START = Date.UTC(2026, 2, 2, 9, 0, 0);
	await using own = await startOwnService({
		assume: { 'rate-limit': { requests: 2, per: 'PT10S' }, 'rate-limit-headers': 'x-time' },
		clock: { mode: 'manual', now: '2026-03-02T09:00:00.400Z' },
	});
	const announced = ({ headers }: { headers: Headers }) =>
		Object.fromEntries([...headers].filter(([name]) => name.includes('ratelimit')));
	const withLeft = (remaining: number) => ({
		'x-ratelimit-limit': '2',
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': String(START / 1000 + 11),
	});
	expect(announced(await own.alice.get('/user/calls'))).toEqual(withLeft(1));
	// A request that is refused for another reason counts, and says so too.
	expect(announced(await own.alice.post('/user/lead', {}))).toEqual(withLeft(0));
	const { status, headers, body } = await own.alice.get('/user/calls');
	expect([status, headers.get('retry-after')]).toEqual([429, '10']);
	expect(body).toEqual({ message: 'Too Many Attempts.', retry_after: 10 });
	expect(announced(await own.bob.get('/user/calls'))).toEqual(withLeft(1));
	await own.control.advance('PT10S');
	expect((await own.alice.get('/user/calls')).status).toBe(200);
});

it.each([
	['PUT', '/user/assistant/{id}', {}],
	['PUT', '/user/tools/{id}', {}],
	['PUT', '/user/leads/{id}', {}],
	['PUT', '/user/leads/1', { campaign_id: '{id}' }],
	['POST', '/user/campaigns/update-status', { campaign_id: '{id}', action: 'stop' }],
	['POST', '/user/assistants/disable-webhook', { assistant_id: '{id}' }],
])('authorization-failures forbidden: %s %s %j', async (method, path, body) => {
	await using own = await startOwnService({ assume: { 'authorization-failures': 'forbidden' } });
	const send = async (id: number) =>
		await own.alice.request(method, path.replace('{id}', String(id)), {
			json: JSON.parse(JSON.stringify(body).replace('"{id}"', String(id))),
			ignoreContract: true,
		});
	// Bob's, nobody's, and her own.
	const [ofAnother, ...others] = [await send(101), await send(999), await send(1)];
	expect([ofAnother.status, ...others.map(({ status }) => status)]).toEqual([403, 404, 200]);
	expect(ofAnother.body).toEqual(
		path.includes('campaigns')
			? {
					message: 'Access denied - Campaign does not belong to authenticated user.',
					success: false,
				}
			: { message: 'This action is unauthorized.' },
	);
});

describe('assumptions can be overridden', () => {
	it.each<[string, unknown, (own: Service) => Promise<unknown>, unknown]>([
		[
			'unknown-request-fields',
			'ignored',
			async (own) => {
				const tool = {
					...newTool,
					priority: 1,
					headers: [{ name: 'X', value: '1', secret: true }],
				};
				const created = getData(await own.alice.post('/user/tools', tool));
				const update = await own.alice.put('/user/leads/1', { status: 'created', priority: 1 });
				return { ...created, update: update.status };
			},
			expect.not.objectContaining({ priority: 1, update: 200 }),
		],
		[
			'phone-number-formats',
			{ default_country: 'DE' },
			async (own) =>
				(await own.alice.post('/user/lead', { campaign_id: 1, phone_number: '0151 12345699' }))
					.status,
			200,
		],
		[
			'assistant-status',
			'inactive',
			async (own) => (await own.alice.post('/user/assistant', newAssistant)).body,
			expect.objectContaining({ data: expect.objectContaining({ status: 'inactive' }) }),
		],
		[
			'request-size-limit',
			100,
			async (own) =>
				(await own.alice.post('/user/tools', { ...newTool, note: 'x'.repeat(100) })).status,
			413,
		],
		[
			'campaign-status',
			{ initial: 'draft', start: 'running', stop: 'paused' },
			async (own) => (await setCampaign(own, 'start')).body,
			expect.objectContaining({ data: { campaign_id: 1, status: 'running' } }),
		],
	])('%s = %j', async (key, value, ask, expected) => {
		await using own = await startOwnService({ assume: { [key]: value } });
		expect(await ask(own)).toEqual(expected);
	});

	it('time-zone: of timestamps and of whole days', async () => {
		await using own = await startOwnService({
			assume: { 'time-zone': 'Asia/Tokyo' },
			clock: { mode: 'manual', now: '2026-03-02T20:30:00Z' },
		});
		await startCall(own);
		const on = (day: string) => getCalls(own.alice, { date_from: day, date_to: day });
		expect(await on('2026-03-02')).toEqual([]);
		expect(await on('2026-03-03')).toMatchObject([{ created_at: '2026-03-03 05:30:00' }]);
		const newLead = { campaign_id: 1, phone_number: '+4915112345699' };
		const lead = await own.alice.post('/user/lead', newLead);
		expect(getData(lead).created_at).toBe('2026-03-03 05:30:00');
		const tool = await own.alice.post('/user/tools', newTool);
		expect(getData(tool).created_at).toBe('2026-03-02T20:30:00.000000Z');
	});

	it('completed-call-statuses: which calls count as completed', async () => {
		await using own = await startOwnService({
			assume: { 'completed-call-statuses': ['completed'] },
		});
		const options = { send_webhook_only_on_completed: true };
		await enableWebhook(own.alice, 1, 'http://127.0.0.1:9/', options);
		for (const scenario of ['ended', 'answered', 'ended_by_customer']) {
			await completeCall(own, { scenario });
		}
		expect(await own.control.deliveries()).toMatchObject([{ body: { status: 'completed' } }]);
	});

	it('voices, languages, balance and quota are those of the assumptions where the seed has none', async () => {
		const phone_numbers = [{ id: 1, phone_number: '+4915112345601', sms_capable: true }];
		await using own = await startOwnService({
			seed: { users: [{ token: ALICE, phone_numbers }] },
			assume: {
				'available-voices': [{ id: 9, name: 'Zoe' }],
				'available-languages': ['Basque'],
				'account-balance': 0.5,
				'tool-quota': 1,
				'sms-price': { default: 0.5 },
			},
		});
		const assistant = { ...newAssistant, voice_id: 9, language: 'Basque' };
		const sms = { from: 1, to: '+4915112345699', body: 'Hi' };
		for (const [path, body, status] of [
			['/user/assistant', assistant, 201],
			['/user/assistant', { ...assistant, voice_id: 1 }, 422],
			['/user/assistant', { ...assistant, language: 'English' }, 422],
			['/user/sms', sms, 200],
			['/user/sms', sms, 400],
			['/user/tools', newTool, 201],
			['/user/tools', newTool, 422],
		] as const) {
			expect({ body, status: (await own.alice.post(path, body)).status }).toEqual({ body, status });
		}
	});

	it.each<[string, unknown]>([
		['weather', 'fine'],
		['lead-attempts', 'many'],
		['lead-retry-wait', 'an hour'],
		['webhook-retries', 30],
		['time-zone', 'Mars/Olympus'],
		['phone-number-formats', { default_country: 'Germany' }],
		['rate-limit', { requests: 3 }],
		['rate-limit-headers', 'x-minutes'],
		['available-voices', ['Zoe']],
		['unauthenticated', 302],
		['server-error', 500],
	])('%s = %j is refused by name', async (key, value) => {
		await expect(startService({ assume: { [key]: value } })).rejects.toThrow(key);
	});
});
