import { setTimeout as delay } from 'node:timers/promises';

const PROBE_INTERVAL_MS = 150;

/**
 * Asks again and again until there is an answer.
 *
 * @param what what is awaited, for the message: "the workflow to be published"
 * @param limitMs how long to go on, in milliseconds
 * @param probe gives the answer, or undefined for "not yet"; what it throws ends the wait
 * @returns the first answer that is not undefined
 * @throws Error naming `what` when there is none within the limit
 */
export async function waitFor<T>(
	what: string,
	limitMs: number,
	probe: () => Promise<T | undefined>,
): Promise<T> {
	const end = Date.now() + limitMs;
	for (;;) {
		const answer = await probe();
		if (answer !== undefined) return answer;
		if (Date.now() > end) throw new Error(`Waited ${limitMs / 1000} s in vain for ${what}.`);
		await delay(PROBE_INTERVAL_MS);
	}
}
