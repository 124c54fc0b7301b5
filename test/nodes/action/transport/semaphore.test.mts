import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Semaphore } from '../../../../nodes/VoiceAssistantCalling/transport/semaphore.ts';

describe('a semaphore', () => {
	it('admits a limited number, in the order of arrival, and is free in the end', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.integer({ min: 1, max: 5 }),
				fc.integer({ min: 1, max: 20 }),
				async (scheduler, limit, holders) => {
					const semaphore = new Semaphore(limit);
					const entered: number[] = [];
					let inside = 0;
					let most = 0;
					const work = scheduler.scheduleFunction(() => Promise.resolve());
					const hold = async (holder: number) => {
						await semaphore.acquire();
						entered.push(holder);
						most = Math.max(most, ++inside);
						await work();
						inside--;
						semaphore.release();
					};
					const holds = Array.from({ length: holders }, (_, holder) => hold(holder));
					await scheduler.waitFor(Promise.all(holds));

					expect(entered).toEqual(Array.from({ length: holders }, (_, holder) => holder));
					expect(most).toBe(Math.min(limit, holders));
					// This would never end if a place were still taken.
					for (let place = 0; place < limit; place++) await semaphore.acquire();
				},
			),
		);
	});
});
