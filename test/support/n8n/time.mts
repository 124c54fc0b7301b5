import { jest } from '@jest/globals';

/**
 * Longer timers stay real: they are the limits of requests (30 s, 300 s), and would go off while an
 * answer is on its way. No single sleep is as long: the node wakes up every half second.
 */
const LONGEST_SLEEP_MS = 10_000;

/**
 * Takes the waits of n8n and the node into the test's hands: time passes only when the test says so,
 * while requests are answered as ever. {@link useRealTime} gives time back.
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
		// No wait at all gives the event loop back, and takes no time.
		if (ms > 0 && ms <= LONGEST_SLEEP_MS) return fake.setTimeout(...args);
		const limit = real.setTimeout(...args);
		limits.add(limit);
		return limit;
	}, real.setTimeout);
	globalThis.clearTimeout = (timer) =>
		isLimit(timer) ? real.clearTimeout(timer) : fake.clearTimeout(timer);
}

/** Lets every wait be over at once, as if time flew whenever nothing else happens. */
export function skipWaits(): void {
	holdTime();
	jest.setTimerTickMode({ mode: 'nextAsync' });
}

/** Lets so many milliseconds pass; see {@link holdTime}. */
export const passTime = async (ms: number): Promise<void> => {
	await jest.advanceTimersByTimeAsync(ms);
};

/** Ends {@link holdTime} and {@link skipWaits}. */
export function useRealTime(): void {
	jest.useRealTimers();
}
