import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAny } from '../../../support/forAny.mts';
import { Deadline } from '../../../../nodes/shared/client/deadline.ts';
import { assistantKey, withLock } from '../../../../nodes/shared/webhook/lock.ts';

const deadlineIn = (totalMs: number) => new Deadline({ totalMs, requestMs: totalMs });

const lockFor = <Result,>(keys: string[], change: () => Promise<Result>, limitMs = 60_000) =>
	withLock(keys, deadlineIn(limitMs), change);

/** A change that ends when the test resolves it. */
const heldChange = () => Promise.withResolvers<undefined>();

describe('changes of assistants', () => {
	it('run one after the other if they share an assistant, else at the same time', () => {
		const keys = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 1 });
		const changes = fc.array(keys, { maxLength: 8 });
		return forAny(fc.tuple(changes, fc.scheduler()), async ([allKeys, scheduler]) => {
			const running: string[] = [];
			const done = allKeys.map((keys, index) =>
				lockFor(keys, async () => {
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
		});
	});

	it('run after a change that failed', async () => {
		const failed = lockFor(['a'], () => Promise.reject(new Error('The service is down')));
		const next = lockFor(['a'], () => Promise.resolve('done'));
		await expect(failed).rejects.toThrow('The service is down');
		expect(await next).toBe('done');
	});

	it('wait for a limited time, and then do not run', async () => {
		const slow = heldChange();
		const first = lockFor(['a'], () => slow.promise);
		let runs = 0;
		const late = lockFor(['a', 'b'], () => Promise.resolve(runs++), 10);
		await expect(late).rejects.toMatchObject({
			text: 'Other triggers are changing the same assistant, and did not finish in time. Publish the workflow again in a minute.',
		});
		const after = lockFor(['b'], () => Promise.resolve('after'));
		slow.resolve(undefined);
		await first;
		expect(await after).toBe('after');
		expect(runs).toBe(0);
	});

	it('wait for an earlier change even if the one between them gave up', async () => {
		const slow = heldChange();
		const order: string[] = [];
		const first = lockFor(['a'], () => slow.promise.then(() => order.push('first')));
		await expect(lockFor(['a'], () => Promise.resolve(), 10)).rejects.toThrow();
		const last = lockFor(['a'], () => Promise.resolve(order.push('last')));
		slow.resolve(undefined);
		await Promise.all([first, last]);
		expect(order).toEqual(['first', 'last']);
	});
});

it('the key of an assistant is the same however the base URL is written, and of no other one', () => {
	const key = assistantKey('https://calls.example.com/api', 7);
	expect(assistantKey(' https://CALLS.example.com/api/ ', 7)).toBe(key);
	expect(assistantKey('https://calls.example.com/api', 71)).not.toBe(key);
	expect(assistantKey('https://other.example.com/api', 7)).not.toBe(key);
});
