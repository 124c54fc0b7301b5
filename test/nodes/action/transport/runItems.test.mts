import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { Limiter } from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import {
	runItems,
	type Outcome,
	type PreparedItem,
} from '../../../../nodes/VoiceAssistantCalling/transport/runItems.ts';
import { forAny } from '../../../support/forAny.mts';
import { nextTurn } from '../../../support/eventLoop.mts';

/** How an item ends: sent, refused by the service, or wrong before a request was made. */
type Ending = 'done' | 'refused' | 'unprepared';

/** How many items are prepared before those in progress have ended. */
const AHEAD = 10;

const makeFailure = (item: number) => new Error(`Item ${item} failed`);

/** Runs items that send one request each. The scheduler decides which request ends first. */
async function run(
	{ scheduler, endings, limit }: typeof runs extends fc.Arbitrary<infer Value> ? Value : never,
	stopAtFailure: boolean,
) {
	const limiter = new Limiter(limit);
	/** Items in the order in which they were prepared, and in which their requests began. */
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
		throw makeFailure(item);
	};
	const prepare = async (item: number): Promise<PreparedItem> => {
		prepared.push(item);
		await Promise.resolve();
		if (endings[item] === 'unprepared') throw makeFailure(item);
		return async () => await limiter.run(() => request(item), stopAtFailure);
	};

	const outcomes = await scheduler.waitFor(
		runItems(endings.length, limiter, prepare, () => stopAtFailure),
	);
	return { outcomes, prepared, begun, mostInFlight, begunAfterFailure };
}

const runs = fc.record({
	scheduler: fc.scheduler(),
	endings: fc.array(
		fc.constantFrom<Ending>('done', 'done', 'done', 'done', 'refused', 'unprepared'),
		{ minLength: 1, maxLength: 30 },
	),
	limit: fc.integer({ min: 1, max: 6 }),
});

const expected = (endings: Ending[]): Outcome[] =>
	endings.map((ending, item) =>
		ending === 'done' ? { items: [{ json: { item } }] } : { error: makeFailure(item) },
	);

describe('a run of items', () => {
	it('prepares and sends each item once, in order, and returns the outcome of each', async () => {
		await forAny(runs, async (all) => {
			const { outcomes, prepared, begun, mostInFlight } = await run(all, false);
			const items = all.endings.map((_, item) => item);
			expect(prepared).toEqual(items);
			expect(begun).toEqual(items.filter((item) => all.endings[item] !== 'unprepared'));
			expect(mostInFlight).toBeLessThanOrEqual(all.limit);
			expect(outcomes).toEqual(expected(all.endings));
		});
	});

	it('sends nothing after a failure if it stops at one, and returns the outcomes before it', async () => {
		await forAny(runs, async (all) => {
			const { endings } = all;
			const { outcomes, begun, begunAfterFailure } = await run(all, true);
			expect(begunAfterFailure).toBe(0);
			expect(outcomes).toHaveLength(endings.length);
			outcomes.forEach((outcome, item) => {
				if (outcome) expect(outcome).toEqual(expected(endings)[item]);
				else expect(begun).not.toContain(item);
			});
			for (const item of begun) expect(outcomes[item]).toBeDefined();
			const failed = outcomes.filter((outcome) => outcome && 'error' in outcome);
			expect(failed.length > 0).toBe(endings.some((ending) => ending !== 'done'));
			if (failed.length === 0) expect(begun).toHaveLength(endings.length);
		});
	});

	it('lets an item that cannot be prepared fail in its turn, after all items before it were sent', async () => {
		const around = fc.tuple(runs, fc.nat(25), fc.nat(5));
		await forAny(around, async ([{ scheduler, limit }, before, after]) => {
			const endings = Array.from({ length: before + 1 + after }, (_, item): Ending =>
				item === before ? 'unprepared' : 'done',
			);
			const { outcomes, begun } = await run({ scheduler, endings, limit }, true);
			const sent = Array.from({ length: before }, (_, item) => item);
			expect(begun).toEqual([...sent, ...begun.slice(before)]);
			expect(outcomes.slice(0, before + 1)).toEqual(expected(endings).slice(0, before + 1));
		});
	});

	it.each([1, 3, 10])(
		'prepares no more than ten items ahead of those in progress, %i at a time',
		async (limit) => {
			const count = 60;
			const limiter = new Limiter(limit);
			let prepared = 0;
			const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
			const prepare = (item: number): Promise<PreparedItem> => {
				prepared++;
				const send = () => held.then(() => [{ json: { item } }]);
				return Promise.resolve(() => limiter.run(send));
			};
			const running = runItems(count, limiter, prepare, () => true);
			// The runner yields to the event loop once between two items.
			for (let turn = 0; turn < count; turn++) await sleep(0);
			expect(prepared).toBe(limit + AHEAD);
			release(undefined);
			expect(await running).toEqual(
				Array.from({ length: count }, (_, item) => ({ items: [{ json: { item } }] })),
			);
		},
	);

	it.each([true, false])(
		'without items has no outcomes (stops at a failure: %j)',
		async (stops) => {
			const prepare = () => Promise.reject(new Error('There is no item'));
			expect(await runItems(0, new Limiter(10), prepare, () => stops)).toEqual([]);
		},
	);
});

it('the event loop gets its turn between the items, however long it takes to prepare them', async () => {
	let isOver = false;
	let turns = 0;
	const others = async () => {
		for (; !isOver; turns++) await nextTurn();
	};
	const served = others();
	const prepare = (item: number): Promise<PreparedItem> => {
		// An expression blocks the event loop, too.
		const begin = Date.now();
		while (Date.now() - begin < 3);
		return Promise.resolve(() => Promise.resolve([{ json: { item } }]));
	};
	const outcomes = await runItems(100, new Limiter(10), prepare, () => true);
	isOver = true;
	await served;
	expect(outcomes).toHaveLength(100);
	// Four items take 12 ms: the runner yields after four items at most, 24 times.
	expect(turns).toBeGreaterThanOrEqual(20);
});
