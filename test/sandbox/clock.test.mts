import { describe, expect, it } from '@jest/globals';
import { A_CALL, assistantRecord, callsOf, enableWebhook } from '../support/sandbox/calls.mts';
import { idOf } from '../support/sandbox/client.mts';
import { asObject } from '../support/sandbox/contract.mts';
import { type Service } from '../support/sandbox/service.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { newAssistant } from '../support/sandbox/seed.mts';
import { serviceAndReceiver } from '../support/sandbox/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();

describe('the speed of calls', () => {
	const lastCall = async ({ alice }: Service) => (await callsOf(alice))[0];

	it('makes calls shorter, and leaves their duration, their costs and the clock alone', async () => {
		await using fast = await startOwnService({ callSpeed: 10 });
		for (const own of [service, fast]) {
			await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		}
		await fast.control.advance('PT6.799S');
		expect(await lastCall(fast)).toMatchObject({ status: 'in-progress' });
		await fast.control.advance('PT0.001S');
		await service.control.advance('PT1M8S');
		const { duration, total_cost, status } = (await lastCall(service)) ?? {};
		expect(status).toBe('completed');
		expect(await lastCall(fast)).toMatchObject({ status, duration, total_cost });
		const { body } = await fast.control.request('GET', '/health');
		expect(body).toMatchObject({ now: '2026-03-02T09:00:06.800Z' });
	});

	it('makes the longest duration of an assistant pass faster, too', async () => {
		await using fast = await startOwnService({ callSpeed: 10 });
		await fast.alice.put('/user/assistant/1', { max_call_duration: 20 });
		await fast.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await fast.control.advance('PT2.8S');
		expect(await lastCall(fast)).toMatchObject({ status: 'completed', duration: 20 });
	});

	it.each([0, -1, 1e7, Infinity, NaN])('is not %p', async (callSpeed) => {
		await expect(startOwnService({ callSpeed })).rejects.toThrow(/speed of calls .* above 0/);
	});
});

describe('the clock', () => {
	const age = async (own: Service) => {
		const record = await assistantRecord(
			own.alice,
			idOf(await own.alice.post('/user/assistant', newAssistant)),
		);
		return Date.parse(String(record.created_at));
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
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		const advanced = await service.control.request('POST', '/clock', { advance: A_CALL });
		expect(advanced.body).toEqual({
			now: expect.any(String),
			mode: 'manual',
			ran: expect.any(Number),
		});
		const health = await service.control.request('GET', '/health');
		expect(health.body).toMatchObject({ status: 'ok', mode: 'manual' });
		for (const { body } of [advanced, health]) {
			expect(Date.parse(String(asObject(body, 'body').now))).toBe(
				Date.parse('2026-03-02T09:30:00Z'),
			);
		}
		expect(asObject(advanced.body, 'body').ran).toBeGreaterThan(0);
		const nothing = await service.control.request('POST', '/clock', { advance: 'PT1S' });
		expect(nothing.body).toMatchObject({ ran: 0 });
	});

	it.each(['real', 'accelerated'] as const)(
		'%s: an advance moves it, too, and answers when all is done',
		async (mode) => {
			await using own = await startOwnService({ clock: { mode } });
			await enableWebhook(own.alice, 1, receiver.url);
			await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
			await own.control.advance(A_CALL);
			expect(receiver.arrivals).toHaveLength(1);
			expect((await callsOf(own.alice))[0]?.webhook_response).toMatchObject({ status: 200 });
		},
	);

	it('manual: an advance answers only when the deliveries are done and their results stored', async () => {
		receiver.respondWith((_arrival, response) => {
			const someTimeLater = service.control.request('GET', '/health');
			void someTimeLater.then(() => response.writeHead(202).end('late'));
		});
		await enableWebhook(service.alice, 1, receiver.url);
		for (let call = 0; call < 3; call += 1)
			await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await service.control.advance(A_CALL);
		expect(receiver.arrivals).toHaveLength(3);
		for (const call of await callsOf(service.alice))
			expect(call.webhook_response).toMatchObject({ status: 202 });
	});

	it('manual: however many webhooks fall due at once, all are delivered', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		for (let call = 0; call < 50; call += 1) {
			await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		}
		const advanced = await service.control.request('POST', '/clock', { advance: A_CALL });
		// Each call has three steps, and then its webhook is sent.
		expect(advanced.body).toMatchObject({ ran: 50 * (3 + 1) });
		const told = receiver.arrivals.map((arrival) => arrival.body.id);
		expect(told).toHaveLength(50);
		expect(new Set(told).size).toBe(50);
		const results = (await callsOf(service.alice)).map((call) => call.webhook_response);
		expect(results).toEqual(
			Array.from({ length: 50 }, () => expect.objectContaining({ status: 200 })),
		);
	});

	it('manual: one large step is the same as many small ones', async () => {
		const play = async (steps: string[]) => {
			await service.reset();
			await enableWebhook(service.alice, 1, receiver.url);
			await service.control.outbound({
				assistant_id: 1,
				to: '+4915112345611',
				scenario: 'answered',
			});
			await service.alice.post('/user/campaigns/update-status', {
				campaign_id: 1,
				action: 'start',
			});
			for (const step of steps) await service.control.advance(step);
			return callsOf(service.alice);
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
		await service.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
		const idle = await service.control.request('POST', '/clock', { until_idle: true });
		expect(idle.body).toMatchObject({ mode: 'manual', idle: true });
		const calls = await callsOf(service.alice);
		expect(calls.length).toBeGreaterThan(1);
		expect(calls.every(({ status }) => status === 'no-answer')).toBe(true);
		expect(receiver.arrivals).toHaveLength(calls.length);
		const again = await service.control.request('POST', '/clock', { until_idle: true });
		expect(again.body).toEqual({ ...asObject(idle.body, 'body'), ran: 0 });
		const { ran } = asObject(idle.body, 'body');
		expect(ran).toBeGreaterThan(0);
	});

	it('goes on for a year at most, and says that something is left', async () => {
		const patient = { assume: { 'lead-retry-wait': 'P400D' } };
		await using own = await startOwnService(patient);
		await own.alice.put('/user/leads/1', { phone_number: '+4915112399901' });
		await own.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
		const { body } = await own.control.request('POST', '/clock', { until_idle: true });
		expect(body).toMatchObject({ now: '2026-03-02T09:00:32.000Z', idle: false });
	});

	it('accelerated: moves by itself, a call ends soon', async () => {
		await using own = await startOwnService({ clock: { mode: 'accelerated', speed: 1000 } });
		await enableWebhook(own.alice, 1, receiver.url);
		await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await receiver.arrived(1);
		expect(receiver.arrivals[0]?.body.status).toMatch(/completed|ended/);
	});

	it('real: starts at the present, and a call is still going on at once', async () => {
		await using own = await startOwnService({ clock: { mode: 'real' } });
		expect(Math.abs((await age(own)) - Date.now())).toBeLessThan(60_000);
		await own.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		expect(['initiated', 'ringing', 'in-progress']).toContain(
			(await callsOf(own.alice))[0]?.status,
		);
	});

	it('can change its mode: what is under way goes on', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		const response = await service.control.request('POST', '/clock', { mode: 'accelerated' });
		expect(response.status).toBeLessThan(300);
		await receiver.arrived(1);
		expect(
			(await service.control.request('POST', '/clock', { mode: 'manual' })).status,
		).toBeLessThan(300);
		const stopped = await age(service);
		expect(await age(service)).toBe(stopped);
	});
});
