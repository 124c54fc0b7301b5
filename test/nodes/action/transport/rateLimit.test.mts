import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { parseResponse } from '../../../../nodes/shared/client/response.ts';
import { requestWithRetry } from '../../../../nodes/shared/client/retry.ts';
import { Limiter } from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import { forAny } from '../../../support/forAny.mts';
import { LimitedService, type Counting, type Naming } from '../../../support/limitedService.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { isInSample, sampledRuns } from '../../../support/sample.mts';

afterEach(useRealTime);

/** A run of leads, and the limit that it meets. */
interface Row {
	leads: number;
	requests: number;
	perMs: number;
	counting: Counting;
	naming: Naming;
	atOnce: number;
	/** The ways there and back of each request; they repeat. */
	latencies?: Array<[there: number, back: number]>;
	phase?: number;
}

/** The ways of a request take 20 ms, and each of them a bit more or less. */
const NEAR: Array<[number, number]> = [
	[10, 10],
	[9, 11],
	[12, 9],
	[10, 13],
	[8, 10],
];

const inOrder = (count: number) => Array.from({ length: count }, (_, item) => item);
const ascending = (items: unknown[]) => (items as number[]).toSorted((a, b) => a - b);

const startService = ({ counting, requests, perMs, naming, phase }: Row) =>
	new LimitedService(counting, requests, perMs, naming, phase);

/** Sends items as the node does, at a service with latencies. @returns how long it took, in seconds */
async function send(service: LimitedService, row: Row, items: number[]): Promise<number> {
	const { atOnce, latencies = NEAR } = row;
	const limiter = new Limiter(atOnce);
	const startedAt = Date.now();
	let sent = 0;
	const sendOnce = async (item: number) => {
		const [there, back] = latencies[sent++ % latencies.length] ?? [1, 1];
		await sleep(there);
		const refusal = service.request(item, Date.now());
		await sleep(back);
		const response = refusal ?? { statusCode: 200, headers: {}, body: {} };
		return parseResponse({ ...response, isJson: true }, 'T');
	};
	const sendItem = async (item: number) =>
		await requestWithRetry({
			method: 'POST',
			hasTime: true,
			sendOnce: async () => await sendOnce(item),
			onAccepted: () => limiter.accept('A'),
			pauseFor: (failure) => limiter.pauseFor(failure, 'A'),
			wait: async (ms) => await limiter.wait(ms, 'A'),
		});
	await Promise.all(
		items.map(async (item) => await limiter.run(async () => await sendItem(item), false, 'A')),
	);
	return (service.lastAt - startedAt) / 1000;
}

/** How long a run may take, in seconds: the limit allows no shorter time than the floor. */
function mostSeconds({ leads, requests, perMs, naming }: Row): number {
	const floor = ((leads / requests) * perMs) / 1000;
	return naming === 'header' || naming === 'body' ? 1.3 * floor + 2 : 2 * floor + 5;
}

/** Expects that each item was accepted once, in time, and after few refusals. */
function expectRun(row: Row, service: LimitedService, seconds: number): void {
	expect(ascending(service.accepted)).toEqual(inOrder(row.leads));
	expect(seconds).toBeLessThanOrEqual(mostSeconds(row));
	expect(service.refused).toBeLessThanOrEqual(row.leads / 2);
}

const ROWS = [
	[80, 10, 1_000],
	[60, 5, 1_000],
	[200, 10, 1_000],
	[1_000, 100, 3_000],
] as const;
const COUNTINGS: Counting[] = ['fixed', 'on demand', 'sliding', 'bucket'];
const NAMINGS: Naming[] = ['body', 'zero', 'nothing', 'header'];
/** Requests at a time, and how much of the first window is over. */
const AT_ONCE = [
	[1, 0],
	[10, 0.97],
	[20, 0.4],
	[50, 0.6],
] as const;

describe('a run at a service that limits its requests is complete, in time, and seldom refused', () => {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
		jest.setTimerTickMode({ mode: 'nextAsync' });
	});

	describe.each(ROWS)('%i leads, %i in %i ms', (leads, requests, perMs) => {
		// Many leads take their time here, and differ less.
		const [countings, namings] =
			leads < 1_000 ? [COUNTINGS, NAMINGS] : [COUNTINGS.slice(0, 3), NAMINGS.slice(2)];
		it.each(
			countings.flatMap((counting, column) =>
				namings.map((naming, next) => [counting, naming, column + next] as const),
			),
		)('windows %s, the wait in: %s', async (counting, naming, column) => {
			for (const [row, [atOnce, age]] of AT_ONCE.entries()) {
				if (!isInSample(row, column, AT_ONCE.length)) continue;
				const limit = { leads, requests, perMs, counting, naming, atOnce, phase: age * perMs };
				const service = startService(limit);
				expectRun(limit, service, await send(service, limit, inOrder(leads)));
			}
		});
	});

	it('2,000 leads, 100 a second', async () => {
		const limit = { requests: 100, perMs: 1_000, counting: 'fixed', naming: 'header' } as const;
		const row = { ...limit, leads: 2_000, atOnce: 10 };
		const service = startService(row);
		expectRun(row, service, await send(service, row, inOrder(row.leads)));
		expect(service.refused).toBeLessThanOrEqual(row.leads / 20);
	});

	it('also where others have used up most of the first window', async () => {
		const limit = { requests: 10, perMs: 60_000, counting: 'on demand', naming: 'header' } as const;
		const row = { ...limit, leads: 100, atOnce: 10 };
		const service = startService(row);
		for (let other = 0; other < 9; other++) service.request(other, Date.now());
		service.accepted.splice(0);
		expectRun(row, service, await send(service, row, inOrder(row.leads)));
	});

	it('whatever the limit, the latency and the number at a time are', async () => {
		const latency = fc.integer({ min: 1, max: 40 });
		const rows = fc.record<Row>({
			leads: fc.integer({ min: 1, max: 300 }),
			requests: fc.integer({ min: 5, max: 60 }),
			perMs: fc.constantFrom(1_000, 2_000, 3_000, 5_000, 10_000),
			counting: fc.constantFrom(...COUNTINGS),
			naming: fc.constantFrom(...NAMINGS),
			atOnce: fc.integer({ min: 1, max: 60 }),
			latencies: fc.array(fc.tuple(latency, latency), { minLength: 1, maxLength: 20 }),
			phase: fc.integer({ min: 0, max: 9_999 }),
		});
		await forAny(
			rows,
			async (row) => {
				const service = startService(row);
				const seconds = await send(service, row, inOrder(row.leads));
				expect(ascending(service.accepted)).toEqual(inOrder(row.leads));
				// What one after the other takes, and the window that others may have used up.
				const ways = row.leads * 0.08 + row.perMs / 1000;
				expect(seconds).toBeLessThanOrEqual(mostSeconds(row) * 1.3 + ways);
				// Those that are in flight when the first window is full, and the second one.
				const inFlight = 2 * Math.max(10, row.atOnce);
				expect(service.refused).toBeLessThanOrEqual(inFlight + row.leads / 2);
			},
			{ numRuns: sampledRuns(50) },
		);
	});
});

it('two runs at once are refused at times, but lose nothing and send nothing twice', async () => {
	skipWaits();
	const row = { leads: 200, requests: 20, perMs: 1_000, counting: 'fixed', atOnce: 10 } as const;
	const service = startService({ ...row, naming: 'header' });
	const items = inOrder(row.leads);
	const halves = [items.slice(0, 100), items.slice(100)];
	await Promise.all(halves.map((half) => send(service, { ...row, naming: 'header' }, half)));
	expect(ascending(service.accepted)).toEqual(items);
	expect(service.refused).toBeLessThanOrEqual(100);
});
