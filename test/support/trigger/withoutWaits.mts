import { jest } from '@jest/globals';

/** Waits between two tries are shorter, time limits of requests are not. */
const SHORTEST_TIME_LIMIT_MS = 30_000;

/** Does a piece of work without waiting between its tries; time limits hold as usual. */
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
