import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Deadline } from '../../../../nodes/shared/client/deadline.ts';
import { assistantKey } from '../../../../nodes/shared/webhook/assistantKey.ts';
import { inTurn as inTurnUntil } from '../../../../nodes/shared/webhook/inTurn.ts';

const deadlineIn = (totalMs: number) => new Deadline({ totalMs, requestMs: totalMs });

const inTurn = <Result,>(keys: string[], change: () => Promise<Result>, limitMs = 60_000) =>
	inTurnUntil(keys, deadlineIn(limitMs), change);

/** A change that ends when the test says so. */
function heldChange() {
	const { promise, resolve } = Promise.withResolvers<undefined>();
	return { change: () => promise, end: () => resolve(undefined) };
}

describe('changes of assistants', () => {
	it('run one after the other if they share an assistant, else at the same time', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 1 }), {
					maxLength: 8,
				}),
				fc.scheduler(),
				async (allKeys, scheduler) => {
					const running: string[] = [];
					const done = allKeys.map((keys, index) =>
						inTurn(keys, async () => {
							expect(running.filter((key) => keys.includes(key))).toEqual([]);
							running.push(...keys);
							await scheduler.schedule(Promise.resolve(), `change ${index}`);
							for (const key of keys) running.splice(running.indexOf(key), 1);
							return index;
						}),
					);
					// The list ends only if no change waits for another one that waits for it.
					await scheduler.waitFor(Promise.all(done));
					expect(await Promise.all(done)).toEqual(allKeys.map((_, index) => index));
				},
			),
		);
	});

	it('run after a change that failed', async () => {
		const failed = inTurn(['a'], () => Promise.reject(new Error('The service is down')));
		const next = inTurn(['a'], () => Promise.resolve('done'));
		await expect(failed).rejects.toThrow('The service is down');
		expect(await next).toBe('done');
	});

	it('wait for a limited time, and then do not run', async () => {
		const slow = heldChange();
		const first = inTurn(['a'], slow.change);
		let hasRun = false;
		const late = inTurn(
			['a', 'b'],
			() => {
				hasRun = true;
				return Promise.resolve();
			},
			10,
		);
		await expect(late).rejects.toMatchObject({
			text: 'Other triggers are changing the same assistant, and did not finish in time. Nothing was changed. Publish the workflow again.',
		});
		const after = inTurn(['b'], () => Promise.resolve('after'));
		slow.end();
		await first;
		expect(await after).toBe('after');
		expect(hasRun).toBe(false);
	});

	it('wait for an earlier change even if the one between them gave up', async () => {
		const slow = heldChange();
		const order: string[] = [];
		const first = inTurn(['a'], () => slow.change().then(() => order.push('first')));
		await expect(inTurn(['a'], () => Promise.resolve(), 10)).rejects.toThrow();
		const last = inTurn(['a'], () => Promise.resolve(order.push('last')));
		slow.end();
		await Promise.all([first, last]);
		expect(order).toEqual(['first', 'last']);
	});
});

describe('the key of an assistant', () => {
	it('is the same however the base URL is written', () => {
		const key = assistantKey('https://calls.example.com/api', 7);
		expect(assistantKey(' https://CALLS.example.com/api/ ', 7)).toBe(key);
	});

	it('is another one for another assistant or another service', () => {
		const keys = [
			assistantKey('https://calls.example.com/api', 7),
			assistantKey('https://calls.example.com/api', 71),
			assistantKey('https://other.example.com/api', 7),
		];
		expect(new Set(keys).size).toBe(3);
	});
});
