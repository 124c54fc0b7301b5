import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Failure } from '../../../../nodes/shared/client/failedRequest.ts';
import {
	Limiter,
	LimiterClosed,
} from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import { forAny } from '../../../support/forAny.mts';
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

/** Runs a task of the account A. @returns when it started */
const startOf = async (limiter: Limiter, account = 'A') =>
	await limiter.run(() => Promise.resolve(Date.now()), false, account);

describe('a pause', () => {
	it('of more than a minute ends those that wait already', async () => {
		holdTime();
		const limiter = new Limiter(5);
		const repeated = settled(
			limiter.run(
				async () => {
					limiter.pauseFor(refusal(5_000), 'A');
					await limiter.wait(5_000, 'A');
				},
				false,
				'A',
			),
		);
		await passTime(1_000);
		limiter.pauseFor(refusal(120_000), 'A');
		expect(await repeated).toMatchObject({ httpCode: '429', refused: true });
	});

	it('counts only the time that it adds to the present one', () => {
		holdTime();
		const limiter = new Limiter(5);
		for (const ms of [2_000, 10, 3_000]) limiter.pauseFor(refusal(ms), 'A');
		expect(limiter.waitedMs).toEqual({ 'rate limit': 3_000, maintenance: 0 });
	});

	it('holds back its own account only', async () => {
		holdTime();
		const limiter = new Limiter(1);
		const now = Date.now();
		limiter.pauseFor(refusal(2_000), 'A');
		const starts = Promise.all([startOf(limiter, 'A'), startOf(limiter, 'B')]);
		await passTime(2_000);
		expect(await starts).toEqual([now + 2_000, now]);
	});

	it('ends with the longest of all pauses, at any times', async () => {
		const pauses = fc.array(fc.tuple(fc.nat(900), fc.integer({ min: 1_000, max: 5_000 })), {
			minLength: 1,
			maxLength: 6,
		});
		const expectEnd = async (all: Array<[number, number]>) => {
			useRealTime();
			holdTime();
			const limiter = new Limiter(1);
			let end = Date.now();
			for (const [after, length] of all) {
				await passTime(after);
				limiter.pauseFor(refusal(length), 'A');
				end = Math.max(end, Date.now() + length);
			}
			const ready = startOf(limiter);
			await passTime(5_000);
			expect(await ready).toBe(end);
		};
		await forAny(pauses, expectEnd, { numRuns: 30 });
	});

	it('is no longer when n8n’s clock goes back', async () => {
		holdTime();
		const limiter = new Limiter(1);
		limiter.pauseFor(refusal(2_000), 'A');
		const held = Date.now.bind(Date);
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => held() - 120_000);
		let isReady = false;
		void startOf(limiter).then(() => {
			isReady = true;
		});
		await passTime(2_000);
		clock.mockRestore();
		expect(isReady).toBe(true);
	});

	it('grows while nothing is accepted, whatever the service asks for', async () => {
		holdTime();
		const limiter = new Limiter(1);
		const pauses: number[] = [];
		while (pauses.length < 3) {
			const ms = limiter.pauseFor(refusal(0), 'A');
			pauses.push(ms);
			await passTime(ms);
		}
		for (const [index, ms] of pauses.entries()) {
			expect(ms).toBeGreaterThanOrEqual(1_000 * 2 ** index);
			expect(ms).toBeLessThanOrEqual(1_250 * 2 ** index);
		}
		limiter.accept('A');
		expect(limiter.pauseFor(refusal(0), 'A')).toBeLessThanOrEqual(1_250);
	});

	it('lets a request that was refused go before those that have not started', async () => {
		holdTime();
		const limiter = new Limiter(1);
		const order: string[] = [];
		const refused = limiter.run(
			async () => {
				limiter.pauseFor(refusal(1_000), 'A');
				await limiter.wait(1_000, 'A');
				order.push('refused');
			},
			false,
			'A',
		);
		const other = limiter.run(() => Promise.resolve(order.push('new')), false, 'A');
		await passTime(1_000);
		await Promise.all([refused, other]);
		expect(order).toEqual(['refused', 'new']);
	});

	it('of a maintenance ends with one request, and the others follow when it is accepted', async () => {
		holdTime();
		const limiter = new Limiter(10);
		limiter.pauseFor(maintenance(3_000), 'A');
		let started = 0;
		let end = () => {};
		const task = async () => {
			if (++started === 1) await new Promise<void>((resolve) => (end = resolve));
		};
		const all = Promise.all(Array.from({ length: 5 }, () => limiter.run(task, false, 'A')));
		await passTime(3_000);
		expect(started).toBe(1);
		limiter.accept('A');
		end();
		await all;
		expect(started).toBe(5);
		expect(limiter.waitedMs).toEqual({ 'rate limit': 0, maintenance: 3_000 });
	});

	it.each<[number, Array<[number, string]>]>([
		[5_000, []],
		[7_000, [[7_000, 'rate limit']]],
	])('of %i ms is reported once: %j', async (ms, reports) => {
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

it('a limiter that ends starts no further task, and ends the waits of those that run', async () => {
	holdTime();
	const limiter = new Limiter(1);
	const first = settled(limiter.run(async () => await limiter.wait(60_000)));
	const second = settled(limiter.run(async () => await limiter.wait(60_000)));
	await passTime(5_000);
	limiter.end();
	expect(await first).toBeInstanceOf(LimiterClosed);
	expect(await second).toBeInstanceOf(LimiterClosed);
	expect(await settled(limiter.run(() => Promise.resolve('begun')))).toBeInstanceOf(LimiterClosed);
});
