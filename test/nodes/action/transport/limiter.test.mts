import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Failure } from '../../../../nodes/shared/client/failedRequest.ts';
import {
	Limiter,
	LimiterClosed,
} from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import { holdTime, passTime, useRealTime } from '../../../support/n8n/time.mts';

afterEach(useRealTime);

/** The result of a promise: its value, or its error. */
const settled = async <T,>(promise: Promise<T>): Promise<unknown> =>
	await promise.catch((error: unknown) => error);

/** The service refuses a request of the account, and wants none for this time. */
const refusal = (retryAfterMs?: number): Failure => ({
	message: 'Too many',
	httpCode: '429',
	received: 'yes',
	refused: true,
	retryable: true,
	retryAfterMs,
});
const maintenance = (retryAfterMs: number): Failure => ({
	message: 'Maintenance',
	httpCode: '503',
	received: 'yes',
	retryAfterMs,
});

/** Runs a task of an account. @returns when it started */
const startOf = async (limiter: Limiter, account = 'A') =>
	await limiter.run(() => Promise.resolve(Date.now()), false, account);

/** Runs a request of the account A, which is refused once. @returns when it was sent again */
const repeatOf = async (limiter: Limiter, failure: Failure, onRepeat = () => {}) =>
	await limiter.run(
		async () => {
			await limiter.wait(limiter.pauseFor(failure, 'A'), 'A');
			onRepeat();
			return Date.now();
		},
		false,
		'A',
	);

describe('a refusal', () => {
	it('that names a wait holds back its own account, and no other one', async () => {
		holdTime();
		const limiter = new Limiter(1);
		const now = Date.now();
		limiter.pauseFor(refusal(2_000), 'A');
		const starts = Promise.all([startOf(limiter, 'A'), startOf(limiter, 'B')]);
		await passTime(2_000);
		expect(await starts).toEqual([now + 2_000, now]);
	});

	it('that names none holds back only its own request', async () => {
		holdTime();
		const limiter = new Limiter(10);
		const now = Date.now();
		const refused = repeatOf(limiter, refusal());
		await passTime(0);
		expect(await startOf(limiter)).toBe(now);
		await passTime(1_125);
		expect(await refused).toBeGreaterThanOrEqual(now + 1_000);
		// Nothing else was sent meanwhile.
		expect(limiter.waitedMs['rate limit']).toBeGreaterThanOrEqual(1_000);
	});

	it('after a shorter one counts only the time that it adds', async () => {
		holdTime();
		const limiter = new Limiter(5);
		const now = Date.now();
		for (const ms of [2_000, 10, 3_000]) limiter.pauseFor(refusal(ms), 'A');
		expect(limiter.waitedMs).toEqual({ 'rate limit': 3_000, maintenance: 0 });
		const start = startOf(limiter);
		await passTime(3_000);
		expect(await start).toBe(now + 3_000);
	});

	it('makes the account wait 1, 2, 4 … s while nothing is accepted, and then one goes first', async () => {
		holdTime();
		const limiter = new Limiter(10);
		for (const least of [1_000, 2_000, 4_000]) {
			for (const ms of [0, 0].map((askedMs) => limiter.pauseFor(refusal(askedMs), 'A'))) {
				expect(ms).toBeGreaterThanOrEqual(least);
				expect(ms).toBeLessThanOrEqual(1.125 * least);
			}
			await passTime(1.125 * least);
		}
		const { promise: response, resolve: respond } = Promise.withResolvers<undefined>();
		const first = limiter.run(async () => await response, false, 'A');
		let isStarted = false;
		const second = startOf(limiter).then(() => (isStarted = true));
		await passTime(5_000);
		expect(isStarted).toBe(false);
		limiter.accept('A');
		respond(undefined);
		await Promise.all([first, second]);
		expect(limiter.pauseFor(refusal(0), 'A')).toBeLessThanOrEqual(1_125);
	});

	it('with a wait of more than a minute ends those that wait already', async () => {
		holdTime();
		const limiter = new Limiter(5);
		const repeated = settled(repeatOf(limiter, refusal(5_000)));
		await passTime(1_000);
		limiter.pauseFor(refusal(120_000), 'A');
		expect(await repeated).toMatchObject({ httpCode: '429', refused: true });
	});

	it('holds nothing back for longer when n8n’s clock goes back', async () => {
		holdTime();
		const limiter = new Limiter(1);
		limiter.pauseFor(refusal(2_000), 'A');
		const held = Date.now.bind(Date);
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => held() - 120_000);
		let isReady = false;
		void startOf(limiter).then(() => (isReady = true));
		await passTime(2_000);
		clock.mockRestore();
		expect(isReady).toBe(true);
	});

	it('lets its request go before those that have not started', async () => {
		holdTime();
		const limiter = new Limiter(1);
		const order: string[] = [];
		const refused = repeatOf(limiter, refusal(1_000), () => order.push('refused'));
		const other = limiter.run(() => Promise.resolve(order.push('new')), false, 'A');
		await passTime(1_000);
		await Promise.all([refused, other]);
		expect(order).toEqual(['refused', 'new']);
	});

	it.each<[number, Array<[number, string]>]>([
		[5_000, []],
		[7_000, [[7_000, 'rate limit']]],
	])('that holds back for %i ms is reported once: %j', async (ms, reports) => {
		holdTime();
		const told: Array<[number, string]> = [];
		const limiter = new Limiter(5, undefined, (...report) => void told.push(report));
		limiter.pauseFor(refusal(ms), 'A');
		const starts = Promise.all([startOf(limiter), startOf(limiter)]);
		await passTime(ms);
		await starts;
		expect(told).toEqual(reports);
	});
});

it('one request goes into a maintenance that may last longer, and others when it is accepted', async () => {
	holdTime();
	const limiter = new Limiter(10);
	limiter.pauseFor(maintenance(3_000), 'A');
	// It was in flight when the maintenance began.
	limiter.accept('A');
	let started = 0;
	const { promise: response, resolve: respond } = Promise.withResolvers<undefined>();
	const task = async () => {
		if (++started === 1) await response;
	};
	const all = Promise.all(Array.from({ length: 5 }, () => limiter.run(task, false, 'A')));
	await passTime(3_000);
	expect(started).toBe(1);
	limiter.accept('A');
	respond(undefined);
	await all;
	expect(started).toBe(5);
	expect(limiter.waitedMs).toEqual({ 'rate limit': 0, maintenance: 3_000 });
});

it('a limiter that ends starts no further task, and ends the waits of those that run', async () => {
	holdTime();
	const limiter = new Limiter(1);
	const first = settled(limiter.run(async () => await limiter.wait(60_000)));
	const second = settled(limiter.run(async () => await limiter.wait(60_000)));
	await passTime(5_000);
	limiter.stop();
	expect(await first).toBeInstanceOf(LimiterClosed);
	expect(await second).toBeInstanceOf(LimiterClosed);
	expect(await settled(limiter.run(() => Promise.resolve('begun')))).toBeInstanceOf(LimiterClosed);
});
