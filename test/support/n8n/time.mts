import { jest } from '@jest/globals';

/**
 * Longer timers stay real. They are timeouts of requests (30 s, 300 s), and would fire while a response is
 * on its way. No sleep is as long: the node wakes up every half second.
 */
const LONGEST_SLEEP_MS = 10_000;

/**
 * Stops the clock for the sleeps of n8n and the node: time passes only when the test says so. Requests work
 * as usual. {@link useRealTime} ends this.
 */
export function holdTime(): void {
	const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
	const limits = new WeakSet<object>();
	jest.useFakeTimers({
		doNotFake: [
			'nextTick',
			'queueMicrotask',
			'setImmediate',
			'clearImmediate',
			'setInterval',
			'clearInterval',
			'performance',
			'hrtime',
		],
	});
	const fake = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

	const isLimit = (timer: unknown) =>
		typeof timer === 'object' && timer !== null && limits.has(timer);
	globalThis.setTimeout = Object.assign((...args: Parameters<typeof setTimeout>) => {
		const [, ms = 0] = args;
		// A timer of 0 ms only yields to the event loop.
		if (ms > 0 && ms <= LONGEST_SLEEP_MS) return fake.setTimeout(...args);
		const limit = real.setTimeout(...args);
		limits.add(limit);
		return limit;
	}, real.setTimeout);
	globalThis.clearTimeout = (timer) =>
		isLimit(timer) ? real.clearTimeout(timer) : fake.clearTimeout(timer);
}

/** Ends every sleep at once, as if its time had passed. */
export function skipWaits(): void {
	holdTime();
	jest.setTimerTickMode({ mode: 'nextAsync' });
}

/** Lets milliseconds pass; see {@link holdTime}. */
export const passTime = async (ms: number): Promise<void> => {
	await jest.advanceTimersByTimeAsync(ms);
};

/** Ends {@link holdTime} and {@link skipWaits}. */
export function useRealTime(): void {
	jest.useRealTimers();
}
