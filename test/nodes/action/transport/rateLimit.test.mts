import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sleep } from 'n8n-workflow';
import type { ServiceError } from '../../../../nodes/shared/client/errors.ts';
import { parseResponse } from '../../../../nodes/shared/client/response.ts';
import { requestWithRetry } from '../../../../nodes/shared/client/retry.ts';
import { Limiter } from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import {
	LimitedService,
	type Counting,
	type Limit,
	type Naming,
} from '../../../support/limitedService.mts';
import { useRealTime } from '../../../support/n8n/time.mts';
import { isInSample, onlyInFull, sampled } from '../../../support/sample.mts';

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
	jest.setTimerTickMode({ mode: 'nextAsync' });
});
afterEach(useRealTime);

const MINUTE_MS = 60_000;

/** Requests do not take equally long: a latency times these, again and again. */
const VARIATION = [1, 0.9, 1.1, 1.15, 0.85];

const inOrder = (count: number) => Array.from({ length: count }, (_, item) => item);
const ascending = (items: unknown[]) => (items as number[]).toSorted((a, b) => a - b);

/**
 * Sends items of an account as the node does.
 *
 * @param times `way` is the part of the latency until the service has the request
 * @returns the failures
 */
async function send(
	limiter: Limiter,
	service: LimitedService,
	items: number[],
	times: { latency?: number; way?: number; account?: string } = {},
): Promise<ServiceError[]> {
	const { latency = 20, way = 0.5, account = 'A' } = times;
	let sent = 0;
	const sendOnce = async (item: number) => {
		const ms = latency * (VARIATION[sent++ % VARIATION.length] ?? 1);
		await sleep(ms * way);
		const refusal = service.request(item, Date.now());
		await sleep(ms * (1 - way));
		if (!refusal) service.end();
		const response = refusal ?? { statusCode: 200, headers: {}, body: {} };
		return parseResponse({ ...response, isJson: true }, 'T');
	};
	const sendItem = async (item: number) =>
		await requestWithRetry({
			method: 'POST',
			hasTime: true,
			sendOnce: async () => await sendOnce(item),
			onAccepted: () => limiter.accept(account),
			pauseFor: (failure) => limiter.pauseFor(failure, account),
			wait: async (ms) => await limiter.wait(ms, account),
		});
	const failures: ServiceError[] = [];
	const run = async (item: number) =>
		await limiter.run(async () => await sendItem(item), false, account);
	await Promise.all(
		items.map(
			async (item) =>
				await run(item).catch((error: unknown) => void failures.push(error as ServiceError)),
		),
	);
	return failures;
}

/** Runs leads at a service, and expects that each is accepted once. @returns the seconds */
async function secondsOf(
	limit: Limit,
	leads: number,
	atOnce = 10,
	times: { latency?: number; way?: number } = {},
): Promise<number> {
	const service = new LimitedService(limit);
	const startedAt = Date.now();
	expect(await send(new Limiter(atOnce), service, inOrder(leads), times)).toEqual([]);
	expect(ascending(service.accepted)).toEqual(inOrder(leads));
	// A run that sends on and on while it is refused would not take longer.
	expect(service.refused).toBeLessThanOrEqual(2 * leads);
	return (service.lastAt - startedAt) / 1000;
}

/** How long a run may take, in seconds. The limit allows no shorter time than the floor. */
const bound = (naming: Naming, floor: number): number =>
	naming === 'header' || naming === 'body' ? 1.3 * floor + 2 : 2 * floor + 5;

const COUNTINGS: Counting[] = ['fixed', 'on demand', 'sliding', 'bucket'];
const NAMINGS: Naming[] = ['header', 'body', 'zero', 'nothing'];
/** Requests at a time, and how much of the first window is over. */
const AT_ONCE = [
	[1, 0],
	[10, 0.97],
	[20, 0.4],
	[50, 0.6],
] as const;

/** Those that the pace was made with, and others. */
const PERIODS: Array<[leads: number, requests: number, perMs: number]> = [
	[80, 10, 1_000],
	[60, 5, 1_000],
	[200, 10, 1_000],
	[40, 2, 1_000],
	[200, 20, 1_000],
	[250, 50, 5_000],
	[100, 20, 10_000],
	[180, 60, MINUTE_MS],
	[250, 100, MINUTE_MS],
];

describe('a run at a service that limits its requests is complete, and in time', () => {
	it.each(PERIODS)('%i leads, %i in %i ms', async (leads, requests, perMs) => {
		for (const [row, [atOnce, age]] of AT_ONCE.entries()) {
			for (const [column, counting] of COUNTINGS.entries()) {
				for (const [next, naming] of NAMINGS.entries()) {
					if (!isInSample(row, column + next)) continue;
					const period = { counting, requests, perMs, phase: age * perMs };
					const seconds = await secondsOf({ naming, period }, leads, atOnce);
					expect(seconds).toBeLessThanOrEqual(bound(naming, (leads / requests) * (perMs / 1000)));
				}
			}
		}
	});

	it.each(COUNTINGS)('1,000 leads, 100 in 3 s, windows %s', async (counting) => {
		const period = { counting, requests: 100, perMs: 3_000, phase: 1_000 };
		for (const [column, naming] of (['header', 'nothing'] as const).entries()) {
			for (const [row, atOnce] of [10, 50].entries()) {
				if (!isInSample(row, column, 2)) continue;
				expect(await secondsOf({ naming, period }, 1_000, atOnce)).toBeLessThanOrEqual(39);
			}
		}
	});

	onlyInFull(it).each(['header', 'nothing'] as const)(
		'3,000 leads, 5 at a time, wait: %s',
		async (naming) => {
			const seconds = await secondsOf({ naming, concurrent: 5 }, 3_000, 10, {
				latency: 50,
				way: 0,
			});
			expect(seconds).toBeLessThanOrEqual(bound(naming, 30));
		},
	);

	it.each(COUNTINGS)('random refusals and 10 in 1 s, windows %s', async (counting) => {
		const limit = { period: { counting, requests: 10, perMs: 1_000 }, random: 2 };
		for (const naming of ['header', 'nothing'] as const) {
			// No limit of this account names all its waits.
			expect(await secondsOf({ ...limit, naming }, 200)).toBeLessThanOrEqual(bound('nothing', 20));
		}
	});

	it('also where others have used up most of the first window', async () => {
		const period = { counting: 'on demand', requests: 10, perMs: MINUTE_MS } as const;
		const service = new LimitedService({ naming: 'header', period });
		for (let other = 0; other < 9; other++) service.request(other, Date.now());
		service.accepted.splice(0);
		const startedAt = Date.now();
		expect(await send(new Limiter(10), service, inOrder(30))).toEqual([]);
		expect(ascending(service.accepted)).toEqual(inOrder(30));
		expect((service.lastAt - startedAt) / 1000).toBeLessThanOrEqual(bound('header', 180));
	});
});

const REFUSED_AT_RANDOM: Array<[random: number, times: number]> = [
	[1, 2],
	[2, 3],
	[5, 5],
];
it.each(sampled(REFUSED_AT_RANDOM, 3))(
	'%i of 100 requests refused at random make a run at most %i times longer',
	async (random, times) => {
		const seconds = await secondsOf({ naming: 'nothing', random }, 3_000, 10, { latency: 50 });
		expect(seconds).toBeLessThanOrEqual(times * 15);
	},
);

it.each<[Naming, string]>([
	['header', 'It asks you to wait 60 minutes.'],
	['nothing', 'It has accepted no request for a minute.'],
])('a run beyond 1,000 in an hour ends, with the reason; wait: %s', async (naming, reason) => {
	const period = { counting: 'on demand', requests: 1_000, perMs: 60 * MINUTE_MS } as const;
	const service = new LimitedService({ naming, period });
	const startedAt = Date.now();
	const failures = await send(new Limiter(10), service, inOrder(1_200));
	expect(service.accepted).toHaveLength(1_000);
	expect(failures).toHaveLength(200);
	for (const { nextStep } of failures) expect(nextStep).toContain(reason);
	expect(Date.now() - startedAt).toBeLessThanOrEqual(2 * MINUTE_MS);
	expect(service.refused).toBeLessThanOrEqual(30);
});

it.each(['header', 'nothing'] as const)(
	'two accounts of a run have their own limits; wait: %s',
	async (naming) => {
		const limiter = new Limiter(10);
		const slow = new LimitedService({
			naming,
			period: { counting: 'fixed', requests: 5, perMs: 1_000 },
		});
		const fast = new LimitedService({ naming });
		const startedAt = Date.now();
		await Promise.all([
			send(limiter, slow, inOrder(60), { account: 'A' }),
			send(limiter, fast, inOrder(1_000), { account: 'B' }),
		]);
		expect([slow.accepted.length, fast.accepted.length]).toEqual([60, 1_000]);
		expect((slow.lastAt - startedAt) / 1000).toBeLessThanOrEqual(bound(naming, 12));
		expect((fast.lastAt - startedAt) / 1000).toBeLessThanOrEqual(4);
	},
);

it('two runs of an account at once lose nothing, and send nothing twice', async () => {
	const period = { counting: 'fixed', requests: 20, perMs: 1_000 } as const;
	const service = new LimitedService({ naming: 'header', period });
	const items = inOrder(200);
	const halves = [items.slice(0, 100), items.slice(100)];
	await Promise.all(halves.map(async (half) => await send(new Limiter(10), service, half)));
	expect(ascending(service.accepted)).toEqual(items);
});
