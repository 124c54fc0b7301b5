import { jest } from '@jest/globals';

/** Sleeps between two tries are shorter than this. Timeouts of requests are not. */
const SHORTEST_TIME_LIMIT_MS = 30_000;

/** Runs a function without the sleeps between its tries. Timeouts work as usual. */
export async function withoutWaits<Result>(work: () => Promise<Result>): Promise<Result> {
	const { setTimeout: wait } = globalThis;
	const timer = jest.spyOn(globalThis, 'setTimeout');
	timer.mockImplementation((callback, ms = 0) =>
		wait(callback, ms < SHORTEST_TIME_LIMIT_MS ? 0 : ms),
	);
	try {
		return await work();
	} finally {
		timer.mockRestore();
	}
}
