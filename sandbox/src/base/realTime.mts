import { setTimeout } from 'node:timers/promises';

/** Waits so many real milliseconds, or until the signal aborts. */
export async function wait(span: number, signal: AbortSignal): Promise<void> {
	try {
		await setTimeout(span, undefined, { signal });
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}

/** Aborts with a TimeoutError after so many real milliseconds, or together with the other signal. */
export const timeLimit = (span: number, signal: AbortSignal): AbortSignal =>
	AbortSignal.any([signal, AbortSignal.timeout(span)]);

/** Starts to measure. @returns a function that gives the real milliseconds since then, rounded */
export function stopwatch(): () => number {
	const begin = performance.now();
	return () => Math.round(performance.now() - begin);
}

/** The time of the machine, which is not that of the sandbox's clock. */
export const currentTime = (): Date => new Date();
