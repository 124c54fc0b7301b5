import { setTimeout as delay } from 'node:timers/promises';

const PROBE_INTERVAL_MS = 150;

/**
 * Calls `probe` again and again until it gives a result.
 *
 * @param what what is awaited, for the message: "the workflow to be published"
 * @param probe gives the result, or undefined for "not yet"; what it throws ends the wait
 * @returns the first result that is not undefined
 * @throws Error naming `what` when there is none within the limit
 */
export async function waitFor<T>(
	what: string,
	limitMs: number,
	probe: () => Promise<T | undefined>,
): Promise<T> {
	const end = Date.now() + limitMs;
	for (;;) {
		const result = await probe();
		if (result !== undefined) return result;
		if (Date.now() > end) throw new Error(`Waited ${limitMs / 1000} s in vain for ${what}.`);
		await delay(PROBE_INTERVAL_MS);
	}
}
