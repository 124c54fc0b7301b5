import { describe, expect, it } from '@jest/globals';
import { startService, type Service } from '../support/sandbox-service.mts';
import { newAssistant, newTool } from '../support/sandbox-world.mts';

describe('the rate limit', () => {
	it('is off by default', async () => {
		const own = await startService();
		try {
			const answers = Array.from({ length: 150 }, () => own.alice.get('/user/calls'));
			const statuses = (await Promise.all(answers)).map((answer) => answer.status);
			expect(new Set(statuses)).toEqual(new Set([200]));
		} finally {
			await own.close();
		}
	});

	it('when switched on: 429 with Retry-After, per user, until the time has passed', async () => {
		const own = await startService({ assume: { 'rate-limit': { requests: 3, per: 'PT1M' } } });
		try {
			for (let request = 0; request < 3; request += 1)
				expect((await own.alice.get('/user/calls')).status).toBe(200);
			const answer = await own.alice.get('/user/calls');
			expect(answer.status).toBe(429);
			const wait = Number(answer.headers.get('retry-after'));
			expect(answer.body).toEqual({ message: 'Too Many Attempts.', retry_after: wait });
			expect(wait).toBeGreaterThan(0);
			expect(wait).toBeLessThanOrEqual(60);
			expect((await own.bob.get('/user/calls')).status).toBe(200);
			await own.control.advance(`PT${wait}S`);
			expect((await own.alice.get('/user/calls')).status).toBe(200);
		} finally {
			await own.close();
		}
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
		const own = await startService({ assume: { [key]: value } });
		try {
			expect(await ask(own)).toEqual(expected);
		} finally {
			await own.close();
		}
	});

	it('an assumption that does not exist is refused by name', async () => {
		await expect(startService({ assume: { weather: 'fine' } })).rejects.toThrow('weather');
	});
});
