import { describe, expect, it } from '@jest/globals';
import {
	A_CALL,
	assistantRecord,
	getCalls,
	completeCall,
	enableWebhook,
	newestCall,
	setCampaign,
	startCall,
} from './support/calls.mts';
import { getId } from './support/client.mts';
import { asObject } from './support/contract.mts';
import { type Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { newAssistant } from './support/seed.mts';
import { serviceAndReceiver, UNFINISHED_STATUSES } from './support/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();

describe('the speed of calls', () => {
	it('makes calls shorter, and leaves their duration, their costs and the clock alone', async () => {
		await using fast = await startOwnService({ callSpeed: 10 });
		for (const own of [service, fast]) await startCall(own);
		await fast.control.advance('PT6.799S');
		expect(await newestCall(fast.alice)).toMatchObject({ status: 'in-progress' });
		await fast.control.advance('PT0.001S');
		await service.control.advance('PT1M8S');
		const { duration, total_cost, status } = await newestCall(service.alice);
		expect(status).toBe('completed');
		expect(await newestCall(fast.alice)).toMatchObject({ status, duration, total_cost });
		const { body } = await fast.control.request('GET', '/health');
		expect(body).toMatchObject({ now: '2026-03-02T09:00:06.800Z' });
	});

	it('makes the longest duration of an assistant pass faster, too', async () => {
		await using fast = await startOwnService({ callSpeed: 10 });
		await fast.alice.put('/user/assistant/1', { max_call_duration: 20 });
		await startCall(fast);
		await fast.control.advance('PT2.8S');
		expect(await newestCall(fast.alice)).toMatchObject({ status: 'completed', duration: 20 });
	});

	it.each([0, -1, 1e7, Infinity, NaN])('is not %p', async (callSpeed) => {
		await expect(startOwnService({ callSpeed })).rejects.toThrow(/speed of calls .* above 0/);
	});
});

describe('the clock', () => {
	const age = async (own: Service) => {
		const id = getId(await own.alice.post('/user/assistant', newAssistant));
		return Date.parse(String((await assistantRecord(own.alice, id)).created_at));
	};

	it('manual: does not move by itself, and moves exactly as far as it is told', async () => {
		const first = await age(service);
		expect(first).toBe(Date.parse('2026-03-02T09:00:00Z'));
		expect(await age(service)).toBe(first);
		await service.control.advance('PT1M30S');
		expect(await age(service)).toBe(first + 90_000);
		await service.control.advance('P1DT1H');
		expect(await age(service)).toBe(first + 90_000 + 25 * 3_600_000);
	});

	it('says what it did, and what time it is', async () => {
		await startCall(service);
		const advanced = await service.control.request('POST', '/clock', { advance: A_CALL });
		const now = '2026-03-02T09:30:00.000Z';
		expect(advanced.body).toEqual({ now, mode: 'manual', ran: 3 });
		const health = await service.control.request('GET', '/health');
		expect(health.body).toMatchObject({ status: 'ok', mode: 'manual', now });
		const nothing = await service.control.request('POST', '/clock', { advance: 'PT1S' });
		expect(nothing.body).toMatchObject({ ran: 0 });
	});

	it.each(['real', 'accelerated'] as const)(
		'%s: an advance moves it, too, and answers when all is done',
		async (mode) => {
			await using own = await startOwnService({ clock: { mode } });
			await enableWebhook(own.alice, 1, receiver.url);
			await completeCall(own);
			expect(receiver.arrivals).toHaveLength(1);
			expect((await newestCall(own.alice)).webhook_response).toMatchObject({ status: 200 });
		},
	);

	it('manual: an advance answers only when all deliveries are done and their results stored', async () => {
		receiver.respondWith((_arrival, response) => {
			const someTimeLater = service.control.request('GET', '/health');
			void someTimeLater.then(() => response.writeHead(202).end('late'));
		});
		await enableWebhook(service.alice, 1, receiver.url);
		for (let call = 0; call < 50; call += 1) await startCall(service);
		const advanced = await service.control.request('POST', '/clock', { advance: A_CALL });
		// Each call has three steps, and then its webhook is sent.
		expect(advanced.body).toMatchObject({ ran: 50 * (3 + 1) });
		expect(receiver.arrivals).toHaveLength(50);
		expect(new Set(receiver.arrivals.map(({ body }) => body.id)).size).toBe(50);
		const results = (await getCalls(service.alice)).map((call) => call.webhook_response);
		expect(results).toEqual(results.map(() => ({ status: 202, body: 'late' })));
	});

	it('manual: one large step is the same as many small ones', async () => {
		const play = async (steps: string[]) => {
			await service.reset();
			await enableWebhook(service.alice, 1, receiver.url);
			await startCall(service);
			await setCampaign(service, 'start');
			for (const step of steps) await service.control.advance(step);
			return getCalls(service.alice);
		};
		const large = await play(['PT1H']);
		const small = await play(Array.from({ length: 120 }, () => 'PT30S'));
		expect(small).toEqual(large);
	});

	it('manual: advances that are asked for at once add up', async () => {
		await Promise.all(['PT1M', 'PT2M', 'PT3M'].map((step) => service.control.advance(step)));
		expect(await age(service)).toBe(Date.parse('2026-03-02T09:06:00Z'));
	});

	it('goes on until nothing is due, and no further', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await service.alice.put('/user/leads/1', { phone_number: '+4915112399901' });
		await setCampaign(service, 'start');
		const idle = await service.control.request('POST', '/clock', { until_idle: true });
		expect(idle.body).toMatchObject({ mode: 'manual', idle: true });
		expect(idle.body).not.toMatchObject({ ran: 0 });
		const calls = await getCalls(service.alice);
		expect(calls.length).toBeGreaterThan(1);
		expect(calls.every(({ status }) => status === 'no-answer')).toBe(true);
		expect(receiver.arrivals).toHaveLength(calls.length);
		const again = await service.control.request('POST', '/clock', { until_idle: true });
		expect(again.body).toEqual({ ...asObject(idle.body, 'body'), ran: 0 });
	});

	it('goes on for a year at most, and says that something is left', async () => {
		await using own = await startOwnService({ assume: { 'lead-retry-wait': 'P400D' } });
		await own.alice.put('/user/leads/1', { phone_number: '+4915112399901' });
		await setCampaign(own, 'start');
		const { body } = await own.control.request('POST', '/clock', { until_idle: true });
		expect(body).toMatchObject({ now: '2026-03-02T09:00:32.000Z', idle: false });
	});

	it('real: starts at the present, and a call is still going on at once', async () => {
		await using own = await startOwnService({ clock: { mode: 'real' } });
		expect(Math.abs((await age(own)) - Date.now())).toBeLessThan(60_000);
		await startCall(own);
		expect(UNFINISHED_STATUSES).toContain((await newestCall(own.alice)).status);
	});

	it('can change its mode: what is under way goes on', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await startCall(service);
		const setMode = async (mode: string) =>
			expect((await service.control.request('POST', '/clock', { mode })).status).toBe(200);
		await setMode('accelerated');
		await receiver.arrived(1);
		await setMode('manual');
		const stopped = await age(service);
		expect(await age(service)).toBe(stopped);
	});
});
