import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Clock } from '../src/runtime/clock.mts';
import { Scheduler } from '../src/runtime/scheduler.mts';
import { nextTurn } from '../../test/support/eventLoop.mts';
import { holdTime, passTime, useRealTime } from '../../test/support/n8n/time.mts';

/** Lets what waits for the end of this moment happen. */
const moment = async (): Promise<void> => {
	await nextTurn();
	await nextTurn();
};

beforeEach(holdTime);
afterEach(useRealTime);

/** A job in a store that fails so many times when it is read. @param due milliseconds from `now` */
function failingJob(failures: number, due = 0, now = 0) {
	const job = { reads: 0, ran: 0 };
	const source = {
		nextDue: () => {
			job.reads += 1;
			if (job.reads <= failures) throw new Error('The data file cannot be read.');
			return job.ran === 0 ? now + due : undefined;
		},
		runDue: () => (job.ran += 1),
		settled: () => Promise.resolve(),
	};
	const clock = new Clock({ mode: 'real', speed: 1, sandboxTime: now, machineTime: Date.now() });
	return { job, scheduler: new Scheduler(clock, [source]) };
}

it('a job whose time could not be read is run after a pause, and the log says so', async () => {
	const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
	const { job, scheduler } = failingJob(1);
	scheduler.wake();
	await moment();
	await passTime(999);
	expect(job).toEqual({ reads: 1, ran: 0 });
	expect(log).toHaveBeenCalledTimes(1);
	await passTime(1);
	expect(job.ran).toBe(1);
	scheduler.stop();
	log.mockRestore();
});

it('many changes of a moment lead to one look for the next job', async () => {
	// Not due while the test runs: a job that ran would be a change of its own.
	const { job, scheduler } = failingJob(0, 60_000);
	for (let change = 0; change < 100; change++) scheduler.wake();
	await moment();
	expect(job.reads).toBe(1);
	scheduler.stop();
});

it('nobody waits for a job after the end of time', async () => {
	const { job, scheduler } = failingJob(0, 1, Date.parse('9999-12-01T00:00:00Z'));
	scheduler.wake();
	await moment();
	await passTime(1000);
	expect(job).toEqual({ reads: 1, ran: 0 });
	scheduler.stop();
});

it('a sandbox that was stopped reads nothing more', async () => {
	const { job, scheduler } = failingJob(0);
	scheduler.wake();
	scheduler.stop();
	await moment();
	expect(job).toEqual({ reads: 0, ran: 0 });
});
