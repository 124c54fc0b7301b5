import { describe, expect, it } from '@jest/globals';
import { A_CALL, callsOf } from '../support/sandbox/calls.mts';
import { dataOf } from '../support/sandbox/client.mts';
import { startService, type Service } from '../support/sandbox/service.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { ALICE, newAssistant, newTool } from '../support/sandbox/seed.mts';

describe('the rate limit', () => {
	it('is off by default', async () => {
		await using own = await startOwnService();
		const responses = Array.from({ length: 150 }, () => own.alice.get('/user/calls'));
		const statuses = (await Promise.all(responses)).map((response) => response.status);
		expect(new Set(statuses)).toEqual(new Set([200]));
	});

	it('when switched on: 429 with Retry-After, per user, until the time has passed', async () => {
		await using own = await startOwnService({
			assume: { 'rate-limit': { requests: 3, per: 'PT1M' } },
		});
		for (let request = 0; request < 3; request += 1)
			expect((await own.alice.get('/user/calls')).status).toBe(200);
		const response = await own.alice.get('/user/calls');
		expect(response.status).toBe(429);
		const wait = Number(response.headers.get('retry-after'));
		expect(response.body).toEqual({ message: 'Too Many Attempts.', retry_after: wait });
		expect(wait).toBeGreaterThan(0);
		expect(wait).toBeLessThanOrEqual(60);
		expect((await own.bob.get('/user/calls')).status).toBe(200);
		await own.control.advance(`PT${wait}S`);
		expect((await own.alice.get('/user/calls')).status).toBe(200);
	});
});

describe('assumptions can be overridden', () => {
	it.each<[string, unknown, (own: Service) => Promise<unknown>, unknown]>([
		[
			'tool-quota-message',
			'No more than {quota}.',
			async (own) => {
				for (let tool = 0; tool < 3; tool += 1) await own.alice.post('/user/tools', newTool);
				return (await own.alice.post('/user/tools', newTool)).body;
			},
			{ message: 'No more than 5.' },
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
			async (own) =>
				(await own.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' }))
					.body,
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
		await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		const on = async (day: string) => callsOf(own.alice, { date_from: day, date_to: day });
		expect(await on('2026-03-02')).toEqual([]);
		expect(await on('2026-03-03')).toEqual([
			expect.objectContaining({ created_at: '2026-03-03 05:30:00' }),
		]);
		const lead = await own.alice.post('/user/lead', {
			campaign_id: 1,
			phone_number: '+4915112345699',
		});
		expect(dataOf(lead).created_at).toBe('2026-03-03 05:30:00');
		const tool = await own.alice.post('/user/tools', newTool);
		expect(dataOf(tool).created_at).toBe('2026-03-02T20:30:00.000000Z');
	});

	it('completed-call-statuses: which calls count as completed', async () => {
		await using own = await startOwnService({
			assume: { 'completed-call-statuses': ['completed'] },
		});
		await own.alice.put('/user/assistant/1', {
			is_webhook_active: true,
			webhook_url: 'http://127.0.0.1:9/',
			send_webhook_only_on_completed: true,
		});
		for (const scenario of ['ended', 'completed', 'ended_by_customer']) {
			if (scenario === 'completed')
				await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
			else await own.control.outbound({ assistant_id: 1, to: '+4915112345611', scenario });
		}
		await own.control.advance(A_CALL);
		expect(await own.control.deliveries()).toEqual([
			expect.objectContaining({ body: expect.objectContaining({ status: 'completed' }) }),
		]);
	});

	it('voices, languages, balance and quota are those of the assumptions where the seed has none', async () => {
		await using own = await startOwnService({
			seed: {
				users: [
					{
						token: ALICE,
						phone_numbers: [{ id: 1, phone_number: '+4915112345601', sms_capable: true }],
					},
				],
			},
			assume: {
				'available-voices': [{ id: 9, name: 'Zoe' }],
				'available-languages': ['Basque'],
				'account-balance': 0.5,
				'tool-quota': 1,
				'sms-price': { default: 0.5 },
			},
		});
		const create = async (fields: object) =>
			(
				await own.alice.post('/user/assistant', {
					...newAssistant,
					voice_id: 9,
					language: 'Basque',
					...fields,
				})
			).status;
		expect([
			await create({}),
			await create({ voice_id: 1 }),
			await create({ language: 'English' }),
		]).toEqual([201, 422, 422]);
		const sms = async () =>
			(await own.alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hi' })).status;
		expect([await sms(), await sms()]).toEqual([200, 400]);
		const tool = async () => (await own.alice.post('/user/tools', newTool)).status;
		expect([await tool(), await tool()]).toEqual([201, 422]);
	});

	it.each<[string, unknown]>([
		['weather', 'fine'],
		['lead-attempts', 'many'],
		['lead-retry-wait', 'an hour'],
		['webhook-retries', 30],
		['time-zone', 'Mars/Olympus'],
		['phone-number-formats', { default_country: 'Germany' }],
		['rate-limit', { requests: 3 }],
		['available-voices', ['Zoe']],
		['unauthenticated', 403],
	])('%s = %j is refused by name', async (key, value) => {
		await expect(startService({ assume: { [key]: value } })).rejects.toThrow(key);
	});
});
