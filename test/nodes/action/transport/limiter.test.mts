import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidInput } from '../../../../nodes/shared/client/errors.ts';
import {
	Limiter,
	LimiterClosed,
} from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import { forAny } from '../../../support/forAny.mts';
import { nextTurn } from '../../../support/eventLoop.mts';
import { holdTime, passTime, useRealTime } from '../../../support/n8n/time.mts';

afterEach(useRealTime);

const runs = fc.record({
	scheduler: fc.scheduler(),
	limit: fc.integer({ min: 1, max: 6 }),
	/** How each task ends: with a value, or by throwing. */
	tasks: fc.array(fc.constantFrom('done', 'done', 'thrown'), { minLength: 1, maxLength: 20 }),
});
type Outcome = ReturnType<ReturnType<typeof runAll>['outcome']>;

/** The result of a promise: its value, or its error. */
const settled = async <T,>(promise: Promise<T>): Promise<unknown> =>
	await promise.catch((error: unknown) => error);

/** Runs one task for each ending, all at once. */
function runAll(
	limiter: Limiter,
	tasks: string[],
	scheduler: fc.Scheduler,
	closesOnFailure = false,
) {
	const begun: number[] = [];
	const failures = new Map(tasks.map((_, task) => [task, new Error(`Task ${task} failed`)]));
	let inside = 0;
	let most = 0;
	let begunAfterFailure = 0;
	let hasFailed = false;
	const work = scheduler.scheduleFunction((task: number) => Promise.resolve(task));
	const results = tasks.map((ending, task) =>
		settled(
			limiter.run(async () => {
				if (hasFailed) begunAfterFailure++;
				begun.push(task);
				most = Math.max(most, ++inside);
				await work(task);
				inside--;
				if (ending !== 'thrown') return task;
				hasFailed = true;
				throw failures.get(task) ?? new Error('There is no such task');
			}, closesOnFailure),
		),
	);
	const expected = (task: number) => (tasks[task] === 'thrown' ? failures.get(task) : task);
	const outcome = () => ({ begun, most, begunAfterFailure, expected });
	return { results: scheduler.waitFor(Promise.all(results)), outcome };
}

describe('a limiter', () => {
	it('runs a limited number of tasks at a time, in order, and returns the result of each', async () => {
		await forAny(runs, async ({ scheduler, tasks, limit }) => {
			const { results, outcome } = runAll(new Limiter(limit), tasks, scheduler);
			const came = await results;
			const { begun, most, expected } = outcome();
			expect(begun).toEqual(tasks.map((_, task) => task));
			expect(most).toBe(Math.min(limit, tasks.length));
			expect(came).toEqual(tasks.map((_, task) => expected(task)));
		});
	});

	it('runs the next task after one that throws', async () => {
		const limiter = new Limiter(1);
		let begun = 0;
		void settled(limiter.run(() => Promise.reject(new Error('It broke'))));
		void settled(limiter.run(() => Promise.resolve(begun++)));
		await nextTurn();
		expect(begun).toBe(1);
	});

	/** Expects that a task has its result, or was not started. */
	function expectResults(came: unknown[], { begun, expected }: Outcome) {
		came.forEach((result, task) => {
			if (begun.includes(task)) expect(result).toBe(expected(task));
			else expect(result).toBeInstanceOf(LimiterClosed);
		});
	}

	it('that closes at a failure starts no task after a failure, and lets running tasks end', async () => {
		await forAny(runs, async ({ scheduler, tasks, limit }) => {
			const { results, outcome } = runAll(new Limiter(limit), tasks, scheduler, true);
			expectResults(await results, outcome());
			const { begun, begunAfterFailure } = outcome();
			expect(begunAfterFailure).toBe(0);
			if (!tasks.includes('thrown')) expect(begun).toHaveLength(tasks.length);
		});
	});
});

describe('a pause', () => {
	it('of more than a minute is an error instead of a wait', async () => {
		const limiter = new Limiter(1);
		limiter.pauseFor(61_000);
		let begun = 0;
		expect(await settled(limiter.run(() => Promise.resolve(begun++)))).toMatchObject({
			message: 'The service is receiving too many requests',
			nextStep:
				'It asks you to wait 2 minutes. The service did not carry out this item. Try again later.',
			httpCode: '429',
		});
		expect(begun).toBe(0);
	});

	it('counts only the time that it adds to the present one', () => {
		holdTime();
		const limiter = new Limiter(5);
		for (const ms of [2_000, 10, 3_000]) limiter.pauseFor(ms);
		expect(limiter.totalPauseMs).toBe(3_000);
	});

	it('becomes longer for those that wait already', async () => {
		holdTime();
		const limiter = new Limiter(5);
		limiter.pauseFor(2_000);
		let ready = 0;
		for (let count = 0; count < 3; count++) void limiter.waitUntilAllowed().then(() => ready++);
		await passTime(1_500);
		limiter.pauseFor(4_000);
		await passTime(3_999);
		expect(ready).toBe(0);
		await passTime(1);
		expect(ready).toBe(3);
	});

	it('ends with the longest of all pauses, at any times', async () => {
		const pauses = fc.array(fc.tuple(fc.nat(3_000), fc.nat(5_000)), { minLength: 1, maxLength: 6 });
		const expectEnd = async (all: Array<[number, number]>) => {
			useRealTime();
			holdTime();
			const limiter = new Limiter(1);
			let end = Date.now();
			for (const [after, length] of all) {
				await passTime(after);
				limiter.pauseFor(length);
				end = Math.max(end, Date.now() + length);
			}
			const asked = Date.now();
			const ready = limiter.waitUntilAllowed().then(() => Date.now());
			await passTime(5_000);
			expect(await ready).toBe(Math.max(end, asked));
		};
		await forAny(pauses, expectEnd, { numRuns: 30 });
	});
});

it('a limiter that ends starts no further task, and ends the waits of those that run', async () => {
	holdTime();
	const limiter = new Limiter(1);
	const first = settled(limiter.run(async () => await limiter.sleep(60_000)));
	const second = settled(limiter.run(() => Promise.resolve('begun')));
	await passTime(5_000);
	limiter.end();
	await passTime(500);
	expect(await first).toBeInstanceOf(LimiterClosed);
	expect(await second).toBeInstanceOf(LimiterClosed);
});

describe('a cancellation', () => {
	const canceled = expect.objectContaining({ message: 'The execution was canceled' });

	it.each<[string, (limiter: Limiter) => Promise<void>]>([
		['a pause', (limiter) => (limiter.pauseFor(60_000), limiter.waitUntilAllowed())],
		['a wait', (limiter) => limiter.sleep(60_000)],
	])('ends %s within half a second', async (_what, wait) => {
		holdTime();
		const stop = new AbortController();
		const result = settled(wait(new Limiter(1, stop.signal)));
		await passTime(5_000);
		stop.abort();
		await passTime(500);
		expect(await result).toEqual(canceled);
		expect(await result).toBeInstanceOf(InvalidInput);
	});
});
