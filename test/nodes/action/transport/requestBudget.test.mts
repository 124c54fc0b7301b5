import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { requestWithRetry } from '../../../../nodes/shared/client/retry.ts';
import { parseResponse } from '../../../../nodes/shared/client/response.ts';
import {
	Limiter,
	LimiterClosed,
} from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import { ApiError } from '../../../../sandbox/src/base/apiError.mts';
import { RateLimiter } from '../../../../sandbox/src/http/rateLimit.mts';
import { forAny } from '../../../support/forAny.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';

type Form = ConstructorParameters<typeof RateLimiter>[0]['rate-limit-headers'];

/** A service with the limit of the sandbox, which is as far away as its latencies say. */
interface Service {
	requests: number;
	per: number;
	announced: Form;
	/** How long each request takes to the service and back; they repeat. */
	latencies: Array<[there: number, back: number]>;
}

interface Run {
	service: Service;
	/** The millisecond of a second at which it begins. */
	startsAt?: number;
	count: number;
	concurrency: number;
	account?: string;
}

let accountCount = 0;
const newAccount = () => `account ${accountCount++}`;

/** The sandbox's limit, for one account. @returns what happened to the requests of all runs */
function startService({ requests, per, announced, latencies }: Service) {
	const rateLimiter = new RateLimiter({
		'rate-limit': { requests, per },
		'rate-limit-headers': announced,
	});
	const stats = { accepted: [] as number[], refused: 0, firstAt: Infinity, lastAt: 0, sent: 0 };
	const respond = (item: number) => {
		const now = Date.now();
		stats.firstAt = Math.min(stats.firstAt, now);
		stats.lastAt = now;
		try {
			rateLimiter.count(1, now);
			stats.accepted.push(item);
			return { statusCode: 200, headers: rateLimiter.headers(1, now), body: {} };
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			stats.refused++;
			const { status, headers, body } = error.response;
			const all = { ...headers, ...rateLimiter.headers(1, now) };
			return { statusCode: status, headers: all, body };
		}
	};
	const send = async (item: number) => {
		const [there, back] = latencies[stats.sent++ % latencies.length] ?? [1, 1];
		await sleep(there);
		const response = respond(item);
		await sleep(back);
		return { ...parseResponse(response, 'T'), headers: response.headers };
	};
	return { send, stats };
}

/** Sends the items of a run as the node does. */
async function runAt(
	{ send }: Pick<ReturnType<typeof startService>, 'send'>,
	{ count, concurrency, account = newAccount() }: Omit<Run, 'service' | 'startsAt'>,
) {
	const limiter = new Limiter(concurrency);
	const sendItem = async (item: number) =>
		await requestWithRetry({
			method: 'POST',
			hasTime: true,
			sendOnce: async () => await limiter.send(async () => await send(item), account),
			onRateLimit: (ms) => limiter.pauseFor(ms, account),
			wait: async (ms) => await limiter.wait(ms),
		});
	const items = Array.from({ length: count }, (_, item) => item);
	const sendInTurn = async (item: number) =>
		await limiter.run(async () => await sendItem(item), false, account);
	await Promise.all(items.map(sendInTurn));
}

/** Runs alone. @returns what happened to its requests */
async function runAlone({ service, startsAt = 0, ...run }: Run) {
	await sleep(1_000 - (Date.now() % 1_000) + startsAt);
	const started = startService(service);
	await runAt(started, run);
	return started.stats;
}

/** All windows except the last one pass completely. */
const floorMs = ({ service: { requests, per }, count }: Run) =>
	(Math.ceil(count / requests) - 1) * per;

const inOrder = (count: number) => Array.from({ length: count }, (_, item) => item);
const ascending = (items: number[]) => items.toSorted((a, b) => a - b);

beforeEach(skipWaits);
afterEach(useRealTime);

const FRACTION: Form = { form: 'x-fraction', windows: 'first-request' };

describe('a run alone, at a service that announces its limit', () => {
	const forms = fc.record<Form>({
		form: fc.constantFrom(
			...(['x-seconds', 'x-fraction', 'x-time', 'x-time-ms'] as const),
			...(['ietf-three', 'ietf-one', 'ietf-policy'] as const),
		),
		windows: fc.constantFrom('first-request', 'whole-second'),
	});
	const latency = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 5_000 }));
	const runs = fc
		.record({
			announced: forms,
			requests: fc.integer({ min: 1, max: 30 }),
			seconds: fc.integer({ min: 1, max: 10 }),
			latencies: fc.array(fc.tuple(latency, latency), { minLength: 1, maxLength: 20 }),
			count: fc.integer({ min: 1, max: 120 }),
			concurrency: fc.integer({ min: 1, max: 30 }),
			startsAt: fc.integer({ min: 0, max: 999 }),
		})
		.map(({ announced, requests, seconds, latencies, concurrency, ...others }): Run => ({
			...others,
			service: {
				requests,
				per: seconds * 1000,
				announced,
				// Nobody can know in which window a request is counted that takes as long as a window.
				latencies: latencies.map(([there, back]) => [
					Math.min(there, seconds * 200),
					Math.min(back, seconds * 200),
				]),
			},
			concurrency: Math.min(concurrency, requests),
		}));
	/** Three requests of the first window are counted in the second one, and no response tells when it ends. */
	const uncertain: Run = {
		service: {
			requests: 30,
			per: 1_000,
			announced: { form: 'ietf-one', windows: 'whole-second' },
			latencies: [[160, 200], ...Array<[number, number]>(3).fill([200, 200])],
		},
		count: 116,
		concurrency: 27,
		startsAt: 480,
	};
	/** The last responses of a window arrive after the first one of the next window. */
	const late: Run = {
		service: {
			requests: 29,
			per: 2_000,
			announced: { form: 'ietf-three', windows: 'whole-second' },
			latencies: [
				[400, 299],
				[198, 400],
				[205, 270],
				[279, 162],
				[400, 74],
				[254, 171],
				[274, 134],
				[66, 400],
				[400, 400],
				[73, 400],
				[400, 225],
			],
		},
		count: 58,
		concurrency: 26,
		startsAt: 909,
	};

	it('gets no 429, sends each item once, and is as fast as the limit allows', async () => {
		await forAny(
			runs,
			async (run) => {
				const { accepted, refused, firstAt, lastAt } = await runAlone(run);
				expect(refused).toBe(0);
				expect(ascending(accepted)).toEqual(inOrder(run.count));
				const { announced, per, requests, latencies } = run.service;
				const windows = Math.ceil(run.count / requests) - 1;
				const isExact =
					announced.windows === 'whole-second'
						? announced.form === 'x-time'
						: announced.form === 'x-fraction';
				// The requests of a window and the way of its last response take their time, too.
				const slowest = Math.max(...latencies.map(([there, back]) => there + back));
				const ownMs = Math.ceil(requests / run.concurrency) * slowest * 2;
				const rounding = isExact || announced.form === 'x-time-ms' ? 0 : 1_000;
				const perWindow = Math.max(per + rounding, ownMs) + 2 * slowest;
				expect(lastAt - firstAt).toBeLessThanOrEqual(windows * perWindow + ownMs);
			},
			{ numRuns: 100, examples: [[uncertain], [late]], endOnFailure: true },
		);
	}, 60_000);

	it.each([1_000, 10_000])(
		'sends %i items, 100 in 3 s, in at most 1.05 × the floor',
		async (count) => {
			const service = { requests: 100, per: 3_000, announced: FRACTION, latencies: [[25, 25]] };
			const run = { service, count, concurrency: 10 } as Run;
			const { accepted, refused, firstAt, lastAt } = await runAlone(run);
			expect(refused).toBe(0);
			expect(ascending(accepted)).toEqual(inOrder(count));
			expect((lastAt - firstAt) / floorMs(run)).toBeLessThanOrEqual(1.05);
		},
		60_000,
	);
});

const serviceOf = (requests: number, announced = FRACTION): Service => ({
	requests,
	per: 3_000,
	announced,
	latencies: [[25, 25]],
});

describe('the first requests of a run', () => {
	const run: Run = { service: serviceOf(5), count: 30, concurrency: 10, account: newAccount() };

	it('start at once at a service that has announced nothing before, and alone where it has', async () => {
		// Five of the first ten are above the limit.
		expect((await runAlone(run)).refused).toBe(5);
		const later = await runAlone(run);
		expect(later.refused).toBe(0);
		expect(ascending(later.accepted)).toEqual(inOrder(30));
	});

	it('start when a second has passed without a response to the first', async () => {
		const account = newAccount();
		await runAlone({ ...run, account });
		const started = Date.now();
		const startedAfter: number[] = [];
		const send = async () => {
			startedAfter.push(Date.now() - started);
			await sleep(4_000);
			return { headers: {}, body: {} };
		};
		await runAt({ send }, { count: 3, concurrency: 3, account });
		expect(startedAfter).toEqual([0, 1_000, 1_000]);
	});
});

it('more requests at once than a window has are refused once, and then wait for their window', async () => {
	const { accepted, refused } = await runAlone({
		service: serviceOf(2),
		count: 10,
		concurrency: 10,
	});
	expect(ascending(accepted)).toEqual(inOrder(10));
	expect(refused).toBe(8);
});

it('where each request moves the end of the window, the newest response counts', async () => {
	const limiter = new Limiter(1);
	const answer = (remaining: string) => ({
		headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': '10.000' },
	});
	await limiter.send(() => Promise.resolve(answer('5')), '');
	await sleep(6_000);
	await limiter.send(() => Promise.resolve(answer('0')), '');
	const started = Date.now();
	expect(await limiter.run(() => Promise.resolve(Date.now() - started))).toBe(10_000);
});

it('two runs at once collect refusals, but lose no item and send none twice', async () => {
	const started = startService(serviceOf(20));
	const account = newAccount();
	const run = { count: 50, concurrency: 5, account };
	await Promise.all([runAt(started, run), runAt(started, run)]);
	const twice = [...inOrder(50), ...inOrder(50)];
	expect(ascending(started.stats.accepted)).toEqual(ascending(twice));
});

it('a limit that is used up holds back its own account only, and holds no place', async () => {
	const limiter = new Limiter(2);
	const [busy, free] = [newAccount(), newAccount()];
	const order: string[] = [];
	const { send } = startService(serviceOf(2));
	const sendFor = async (account: string, item: number) =>
		await limiter.run(
			async () => {
				order.push(account);
				return await limiter.send(
					async () => (account === busy ? await send(item) : { headers: {}, body: {} }),
					account,
				);
			},
			false,
			account,
		);
	const all = [busy, busy, busy, busy, free, free, free];
	await Promise.all(all.map(async (account, item) => await sendFor(account, item)));
	expect(order).toEqual([busy, busy, free, free, free, busy, busy]);
});

describe('a wait for a window', () => {
	/** A limiter whose account has no request left until then. */
	async function usedUp(seconds: string, signal?: AbortSignal) {
		const limiter = new Limiter(1, signal);
		const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': seconds };
		await limiter.send(() => Promise.resolve({ headers }), '');
		const started = Date.now();
		const next = limiter.run(() => Promise.resolve(Date.now() - started));
		return { limiter, next };
	}

	it('ends with the window', async () => {
		const { next } = await usedUp('2.5');
		expect(await next).toBe(2_500);
	});

	it('of more than a minute is left to the service', async () => {
		const { next } = await usedUp('61');
		expect(await next).toBe(0);
	});

	it('ends within half a second when the execution is canceled', async () => {
		const stop = new AbortController();
		void sleep(5_000).then(() => stop.abort());
		const { next } = await usedUp('50', stop.signal);
		const started = Date.now();
		await expect(next).rejects.toMatchObject({ message: 'The execution was canceled' });
		expect(Date.now() - started).toBeLessThanOrEqual(5_500);
	});

	it('ends without a start when the run ends', async () => {
		const { limiter, next } = await usedUp('50');
		limiter.end();
		await expect(next).rejects.toBeInstanceOf(LimiterClosed);
	});
});

it('a request without a response may have been counted', async () => {
	const limiter = new Limiter(3);
	const answer = (remaining: string) => ({
		headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': '3.000' },
	});
	await limiter.send(() => Promise.resolve(answer('2')), '');
	const lost = limiter.send(() => Promise.reject(new Error('It was lost')), '');
	await expect(lost).rejects.toThrow('It was lost');
	const started = Date.now();
	const startedAfter = await Promise.all(
		['0', '2'].map((remaining) =>
			limiter.run(async () => {
				const after = Date.now() - started;
				await limiter.send(() => Promise.resolve(answer(remaining)), '');
				return after;
			}),
		),
	);
	expect(startedAfter).toEqual([0, 3_000]);
});
