import { jest } from '@jest/globals';

/** Longer than the nodes remember what a publish did, and what was written into the log. */
const LATER_MS = 3_601_000;

const realNow = Date.now.bind(Date);

/** In all test files of this worker: they share the nodes, which remember publishes by their time. */
let passedMs = 0;

/** Lets time pass for code that reads the time. The clock is right again after the test file. */
export function advanceClock(ms: number): void {
	passedMs += ms;
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + passedMs);
}

/** Lets an hour pass for code that reads the time, so that the next hook belongs to another publish. */
export function letTimePass(): void {
	advanceClock(LATER_MS);
}
