import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAny } from '../../../support/forAny.mts';
import { Deadline } from '../../../../nodes/shared/client/deadline.ts';
import { withAssistantLock } from '../../../../nodes/shared/webhook/lock.ts';

const deadlineIn = (totalMs: number) => new Deadline({ totalMs, requestMs: totalMs });

const BASE_URL = 'https://calls.example.com/api';

const lockFor = <Result,>(
	assistantIds: number[],
	change: () => Promise<Result>,
	limitMs = 60_000,
	baseUrl = BASE_URL,
) => withAssistantLock(baseUrl, assistantIds, deadlineIn(limitMs), change);

/** A change that ends when the test resolves it. */
const heldChange = () => Promise.withResolvers<undefined>();

describe('changes of assistants', () => {
	it('run one after the other if they share an assistant, else at the same time', () => {
		const someIds = fc.uniqueArray(fc.constantFrom<number>(7, 8, 9), { minLength: 1 });
		const changes = fc.array(someIds, { maxLength: 8 });
		return forAny(fc.tuple(changes, fc.scheduler()), async ([allIds, scheduler]) => {
			const running: number[] = [];
			const done = allIds.map((ids, index) =>
				lockFor(ids, async () => {
					expect(running.filter((id) => ids.includes(id))).toEqual([]);
					running.push(...ids);
					await scheduler.schedule(Promise.resolve(), `change ${index}`);
					for (const id of ids) running.splice(running.indexOf(id), 1);
					return index;
				}),
			);
			// The list ends only if no change waits for another one that waits for it.
			await scheduler.waitFor(Promise.all(done));
			expect(await Promise.all(done)).toEqual(allIds.map((_, index) => index));
		});
	});

	it('run after a change that failed', async () => {
		const failed = lockFor([7], () => Promise.reject(new Error('The service is down')));
		const next = lockFor([7], () => Promise.resolve('done'));
		await expect(failed).rejects.toThrow('The service is down');
		expect(await next).toBe('done');
	});

	it('wait for a limited time, and then do not run', async () => {
		const slow = heldChange();
		const first = lockFor([7], () => slow.promise);
		let runs = 0;
		const late = lockFor([7, 8], () => Promise.resolve(runs++), 10);
		await expect(late).rejects.toMatchObject({
			text: 'Another publish or unpublish is changing the same assistant, and did not finish in time. Publish the workflow again in a minute.',
		});
		const after = lockFor([8], () => Promise.resolve('after'));
		slow.resolve(undefined);
		await first;
		expect(await after).toBe('after');
		expect(runs).toBe(0);
	});

	it('wait for an earlier change even if the one between them gave up', async () => {
		const slow = heldChange();
		const order: string[] = [];
		const first = lockFor([7], () => slow.promise.then(() => order.push('first')));
		await expect(lockFor([7], () => Promise.resolve(), 10)).rejects.toThrow();
		const last = lockFor([7], () => Promise.resolve(order.push('last')));
		slow.resolve(undefined);
		await Promise.all([first, last]);
		expect(order).toEqual(['first', 'last']);
	});
});

it('an assistant is the same however the base URL is written, and no other one', async () => {
	const slow = heldChange();
	const order: string[] = [];
	const first = lockFor([7], () => slow.promise.then(() => order.push('first')));
	const run = (name: string, assistantId: number, baseUrl: string) =>
		lockFor([assistantId], () => Promise.resolve(order.push(name)), 60_000, baseUrl);
	const same = run('same', 7, ' https://CALLS.example.com/api/ ');
	await run('another assistant', 71, BASE_URL);
	await run('another service', 7, 'https://other.example.com/api');
	slow.resolve(undefined);
	await Promise.all([first, same]);
	expect(order).toEqual(['another assistant', 'another service', 'first', 'same']);
});
