import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidInput } from '../../../../nodes/shared/client/errors.ts';
import {
	Limiter,
	LimiterClosed,
} from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import { nextTurn } from '../../../support/eventLoop.mts';
import { holdTime, passTime, useRealTime } from '../../../support/n8n/time.mts';

afterEach(useRealTime);

const limits = fc.integer({ min: 1, max: 6 });
/** How each task ends: with a value, or by throwing. */
const endings = fc.array(fc.constantFrom('done', 'done', 'thrown'), {
	minLength: 1,
	maxLength: 20,
});

/** The result of a promise: its value, or its error. */
const settled = async <T,>(promise: Promise<T>): Promise<unknown> =>
	await promise.catch((error: unknown) => error);

/** Runs one task for each ending, all at once. */
function runAll(
	limiter: Limiter,
	tasks: string[],
	scheduler: fc.Scheduler,
	{ closeAt = Infinity, closesOnFailure = false } = {},
) {
	const begun: number[] = [];
	const failures = new Map(tasks.map((_, task) => [task, new Error(`Task ${task} failed`)]));
	let inside = 0;
	let most = 0;
	let begunAfterClose = 0;
	let begunAfterFailure = 0;
	let hasFailed = false;
	const work = scheduler.scheduleFunction((task: number) => Promise.resolve(task));
	const results = tasks.map((ending, task) =>
		settled(
			limiter.run(async () => {
				if (limiter.isClosed) begunAfterClose++;
				if (hasFailed) begunAfterFailure++;
				begun.push(task);
				most = Math.max(most, ++inside);
				await work(task);
				inside--;
				if (task === closeAt) limiter.close();
				if (ending !== 'thrown') return task;
				hasFailed = true;
				throw failures.get(task) ?? new Error('There is no such task');
			}, closesOnFailure),
		),
	);
	const expected = (task: number) => (tasks[task] === 'thrown' ? failures.get(task) : task);
	const outcome = () => ({ begun, most, begunAfterClose, begunAfterFailure, expected });
	return { results: scheduler.waitFor(Promise.all(results)), outcome };
}

/** How many tasks can run at the same time. */
async function placesOf(limiter: Limiter): Promise<number> {
	let inside = 0;
	const ends: Array<() => void> = [];
	const tasks = Array.from({ length: limiter.limit + 3 }, () =>
		limiter.run(async () => {
			inside++;
			await new Promise<void>((resolve) => ends.push(resolve));
		}),
	);
	await nextTurn();
	const most = inside;
	for (let end = 0; end < tasks.length; end++) {
		ends[end]?.();
		await nextTurn();
	}
	await Promise.all(tasks);
	return most;
}

describe('a limiter', () => {
	it('runs a limited number of tasks at a time, in order, and returns the result of each', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), endings, limits, async (scheduler, tasks, limit) => {
				const { results, outcome } = runAll(new Limiter(limit), tasks, scheduler);
				const came = await results;
				const { begun, most, expected } = outcome();
				expect(begun).toEqual(tasks.map((_, task) => task));
				expect(most).toBe(Math.min(limit, tasks.length));
				expect(came).toEqual(tasks.map((_, task) => expected(task)));
			}),
		);
	});

	it('runs the next task after one that throws', async () => {
		const limiter = new Limiter(1);
		let begun = 0;
		void settled(limiter.run(() => Promise.reject(new Error('It broke'))));
		void settled(limiter.run(() => Promise.resolve(begun++)));
		await nextTurn();
		expect(begun).toBe(1);
	});

	it('has all its places free afterwards, whatever the tasks threw', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), endings, limits, async (scheduler, tasks, limit) => {
				const limiter = new Limiter(limit);
				await runAll(limiter, tasks, scheduler).results;
				expect(await placesOf(limiter)).toBe(limit);
			}),
			{ numRuns: 30 },
		);
	});

	it('starts no task once it is closed, and lets running tasks end', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				endings,
				limits,
				fc.nat(19),
				async (scheduler, tasks, limit, closeAt) => {
					const limiter = new Limiter(limit);
					const { results, outcome } = runAll(limiter, tasks, scheduler, { closeAt: closeAt });
					const came = await results;
					const { begun, begunAfterClose, expected } = outcome();
					expect(begunAfterClose).toBe(0);
					came.forEach((result, task) => {
						if (begun.includes(task)) expect(result).toBe(expected(task));
						else expect(result).toBeInstanceOf(LimiterClosed);
					});
					if (closeAt >= tasks.length) expect(begun).toHaveLength(tasks.length);
					else
						expect(await settled(limiter.run(() => Promise.resolve()))).toBeInstanceOf(
							LimiterClosed,
						);
				},
			),
		);
	});
});

describe('a limiter that closes at a failure', () => {
	it('starts no task after a failure, and lets running tasks end', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), endings, limits, async (scheduler, tasks, limit) => {
				const { results, outcome } = runAll(new Limiter(limit), tasks, scheduler, {
					closesOnFailure: true,
				});
				const came = await results;
				const { begun, begunAfterFailure, expected } = outcome();
				expect(begunAfterFailure).toBe(0);
				came.forEach((result, task) => {
					if (begun.includes(task)) expect(result).toBe(expected(task));
					else expect(result).toBeInstanceOf(LimiterClosed);
				});
				if (!tasks.includes('thrown')) expect(begun).toHaveLength(tasks.length);
			}),
		);
	});
});

/** Counts the callers that have waited until the end of the pause. */
function waiting(limiter: Limiter, count: number) {
	let ready = 0;
	for (let index = 0; index < count; index++) void limiter.waitForPauseEnd().then(() => ready++);
	return () => ready;
}

describe('a pause', () => {
	it('delays all until its end', async () => {
		holdTime();
		const limiter = new Limiter(5);
		limiter.pauseFor(2_000);
		const ready = waiting(limiter, 3);
		await passTime(1_999);
		expect(ready()).toBe(0);
		await passTime(1);
		expect(ready()).toBe(3);
	});

	it('that becomes longer delays all until its new end', async () => {
		holdTime();
		const limiter = new Limiter(5);
		limiter.pauseFor(2_000);
		const ready = waiting(limiter, 3);
		await passTime(1_500);
		limiter.pauseFor(4_000);
		await passTime(3_999);
		expect(ready()).toBe(0);
		await passTime(1);
		expect(ready()).toBe(3);
	});

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
		limiter.pauseFor(2_000);
		limiter.pauseFor(10);
		limiter.pauseFor(3_000);
		expect(limiter.totalPauseMs).toBe(3_000);
	});

	it('that is shorter than the present one changes nothing', async () => {
		holdTime();
		const limiter = new Limiter(5);
		limiter.pauseFor(2_000);
		limiter.pauseFor(10);
		const ready = waiting(limiter, 1);
		await passTime(1_999);
		expect(ready()).toBe(0);
		await passTime(1);
		expect(ready()).toBe(1);
	});

	it('ends with the longest of all pauses, at any times', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.nat(3_000), fc.nat(5_000)), { minLength: 1, maxLength: 6 }),
				async (pauses) => {
					useRealTime();
					holdTime();
					const limiter = new Limiter(1);
					let end = Date.now();
					for (const [after, length] of pauses) {
						await passTime(after);
						limiter.pauseFor(length);
						end = Math.max(end, Date.now() + length);
					}
					const asked = Date.now();
					const ready = limiter.waitForPauseEnd().then(() => Date.now());
					await passTime(5_000);
					expect(await ready).toBe(Math.max(end, asked));
				},
			),
			{ numRuns: 30 },
		);
	});
});

describe('a limiter that ends', () => {
	it('starts no further task, and ends the waits of those that run', async () => {
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
});

describe('a cancellation', () => {
	const canceled = expect.objectContaining({ message: 'The execution was canceled' });

	it('prevents further tasks', async () => {
		const stop = new AbortController();
		const limiter = new Limiter(1, stop.signal);
		let begun = 0;
		let end = () => {};
		const first = limiter.run(() => new Promise<void>((resolve) => (end = resolve)));
		const second = settled(limiter.run(() => Promise.resolve(begun++)));
		await nextTurn();
		stop.abort();
		end();
		await first;
		expect(await second).toEqual(canceled);
		expect(await second).toBeInstanceOf(InvalidInput);
		expect(begun).toBe(0);
	});

	it.each<[string, (limiter: Limiter) => Promise<void>]>([
		['a pause', (limiter) => (limiter.pauseFor(60_000), limiter.waitForPauseEnd())],
		['a wait', (limiter) => limiter.sleep(60_000)],
	])('ends %s within half a second', async (_what, wait) => {
		holdTime();
		const stop = new AbortController();
		const result = settled(wait(new Limiter(1, stop.signal)));
		await passTime(5_000);
		stop.abort();
		await passTime(500);
		expect(await result).toEqual(canceled);
	});
});
