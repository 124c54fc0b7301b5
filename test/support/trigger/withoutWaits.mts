import { isCalledByHttpClient } from '../n8n/time.mts';

/** Sleeps between two tries are shorter than this. Timeouts of requests are not. */
const SHORTEST_TIME_LIMIT_MS = 30_000;

/** Runs a function without the sleeps between its tries. Timeouts work as usual. */
export async function withoutWaits<Result>(work: () => Promise<Result>): Promise<Result> {
	const { setTimeout: wait } = globalThis;
	globalThis.setTimeout = Object.assign(
		(...[callback, ms = 0, ...args]: Parameters<typeof wait>) => {
			const isSleep = ms < SHORTEST_TIME_LIMIT_MS && !isCalledByHttpClient();
			return wait(callback, isSleep ? 0 : ms, ...args);
		},
		wait,
	);
	try {
		return await work();
	} finally {
		globalThis.setTimeout = wait;
	}
}
