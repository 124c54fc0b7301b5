import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { Limiter } from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import {
	runItems,
	type Outcome,
	type PreparedItem,
} from '../../../../nodes/VoiceAssistantCalling/transport/runItems.ts';
import { nextTurn } from '../../../support/eventLoop.mts';

/** How an item ends: sent, refused by the service, or wrong before a request was made. */
type Ending = 'done' | 'refused' | 'unprepared';

/** How many items are prepared before those in progress have ended. */
const AHEAD = 10;

const failureOf = (item: number) => new Error(`Item ${item} failed`);

interface Run {
	outcomes: Outcome[];
	/** Items in the order in which they were prepared, and in which their requests began. */
	prepared: number[];
	begun: number[];
	/** The highest number of requests at a time. */
	mostInFlight: number;
	begunAfterFailure: number;
}

/** Runs items that send one request each. The scheduler decides which request ends first. */
async function run(
	scheduler: fc.Scheduler,
	endings: Ending[],
	limit: number,
	stopAtFailure: boolean,
): Promise<Run> {
	const limiter = new Limiter(limit);
	const prepared: number[] = [];
	const begun: number[] = [];
	let [inFlight, mostInFlight, begunAfterFailure] = [0, 0, 0];
	let hasFailed = false;

	const respond = scheduler.scheduleFunction((item: number) => Promise.resolve(endings[item]));
	const request = async (item: number) => {
		begun.push(item);
		if (hasFailed) begunAfterFailure++;
		mostInFlight = Math.max(mostInFlight, ++inFlight);
		const ending = await respond(item);
		inFlight--;
		if (ending === 'done') return [{ json: { item } }];
		hasFailed = true;
		throw failureOf(item);
	};
	const prepare = async (item: number): Promise<PreparedItem> => {
		prepared.push(item);
		await Promise.resolve();
		if (endings[item] === 'unprepared') throw failureOf(item);
		return async () => await limiter.run(() => request(item), stopAtFailure);
	};

	const outcomes = await scheduler.waitFor(
		runItems(endings.length, limiter, prepare, stopAtFailure),
	);
	return { outcomes, prepared, begun, mostInFlight, begunAfterFailure };
}

const endings = fc.array(
	fc.constantFrom<Ending>('done', 'done', 'done', 'done', 'refused', 'unprepared'),
	{ minLength: 1, maxLength: 30 },
);
const limits = fc.integer({ min: 1, max: 6 });

const expected = (endings: Ending[]): Outcome[] =>
	endings.map((ending, item) =>
		ending === 'done' ? { items: [{ json: { item } }] } : { error: failureOf(item) },
	);
const preparable = (endings: Ending[]) =>
	endings.flatMap((ending, item) => (ending === 'unprepared' ? [] : [item]));

describe('a run of items', () => {
	it('prepares and sends each item once, in order, and returns the outcome of each', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), endings, limits, async (scheduler, all, limit) => {
				const { outcomes, prepared, begun, mostInFlight } = await run(scheduler, all, limit, false);
				expect(prepared).toEqual(all.map((_, item) => item));
				expect(begun).toEqual(preparable(all));
				expect(mostInFlight).toBeLessThanOrEqual(limit);
				expect(outcomes).toEqual(expected(all));
			}),
		);
	});

	it('sends nothing after a failure if it stops at one, and returns the outcomes before it', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), endings, limits, async (scheduler, all, limit) => {
				const { outcomes, begun, begunAfterFailure } = await run(scheduler, all, limit, true);
				expect(begunAfterFailure).toBe(0);
				expect(outcomes).toHaveLength(all.length);
				outcomes.forEach((outcome, item) => {
					if (outcome) expect(outcome).toEqual(expected(all)[item]);
					else expect(begun).not.toContain(item);
				});
				for (const item of begun) expect(outcomes[item]).toBeDefined();
				const failed = outcomes.filter((outcome) => outcome && 'error' in outcome);
				expect(failed.length > 0).toBe(all.some((ending) => ending !== 'done'));
				if (failed.length === 0) expect(begun).toHaveLength(all.length);
			}),
		);
	});

	it('lets an item that cannot be prepared fail in its turn, after all items before it were sent', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.nat(25),
				fc.nat(5),
				limits,
				async (scheduler, before, after, limit) => {
					const all = [
						...Array.from({ length: before }, (): Ending => 'done'),
						'unprepared' as const,
						...Array.from({ length: after }, (): Ending => 'done'),
					];
					const { outcomes, begun } = await run(scheduler, all, limit, true);
					const sent = Array.from({ length: before }, (_, item) => item);
					expect(begun).toEqual([...sent, ...begun.slice(before)]);
					expect(outcomes.slice(0, before + 1)).toEqual(expected(all).slice(0, before + 1));
				},
			),
		);
	});

	it.each([1, 3, 10])(
		'prepares no more than ten items ahead of those in progress, %i at a time',
		async (limit) => {
			const count = 60;
			const limiter = new Limiter(limit);
			let prepared = 0;
			let release: () => void = () => undefined;
			const held = new Promise<void>((resolve) => (release = resolve));
			const prepare = (item: number): Promise<PreparedItem> => {
				prepared++;
				return Promise.resolve(
					async () =>
						await limiter.run(async () => {
							await held;
							return [{ json: { item } }];
						}),
				);
			};
			const running = runItems(count, limiter, prepare, true);
			// The runner yields to the event loop once between two items.
			for (let turn = 0; turn < count; turn++) await sleep(0);
			expect(prepared).toBe(limit + AHEAD);
			release();
			expect(await running).toEqual(
				Array.from({ length: count }, (_, item) => ({ items: [{ json: { item } }] })),
			);
		},
	);

	it.each([true, false])(
		'without items has no outcomes (stops at a failure: %j)',
		async (stops) => {
			const prepare = () => Promise.reject(new Error('There is no item'));
			expect(await runItems(0, new Limiter(10), prepare, stops)).toEqual([]);
		},
	);
});

/** Blocks the event loop for some milliseconds, as an expression does. */
function work(ms: number): void {
	const begin = Date.now();
	while (Date.now() - begin < ms);
}

describe('the event loop', () => {
	it('gets its turn between the items, however long it takes to prepare them', async () => {
		let isOver = false;
		let turns = 0;
		const others = async () => {
			for (; !isOver; turns++) await nextTurn();
		};
		const served = others();
		const prepare = (item: number): Promise<PreparedItem> => {
			work(3);
			return Promise.resolve(() => Promise.resolve([{ json: { item } }]));
		};
		const outcomes = await runItems(100, new Limiter(10), prepare, true);
		isOver = true;
		await served;
		expect(outcomes).toHaveLength(100);
		// Four items take 12 ms: the runner yields after four items at most, 24 times.
		expect(turns).toBeGreaterThanOrEqual(20);
	});
});
