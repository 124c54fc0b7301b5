import { isCalledInRealTime } from '../n8n/time.mts';

/** Sleeps between two tries are shorter than this. Jest's own limit of a test is not. */
const SHORTEST_TIME_LIMIT_MS = 60_000;

/**
 * Runs a function without the sleeps between its tries. The time limits of requests work as usual.
 *
 * @param onSleep gets how long each sleep would have been
 */
export async function withoutWaits<Result>(
	work: () => Promise<Result>,
	onSleep?: (ms: number) => void,
): Promise<Result> {
	const { setTimeout: wait } = globalThis;
	globalThis.setTimeout = Object.assign(
		(...[callback, ms = 0, ...args]: Parameters<typeof wait>) => {
			const isSleep = ms > 0 && ms < SHORTEST_TIME_LIMIT_MS && !isCalledInRealTime();
			if (isSleep) onSleep?.(ms);
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
