import { getCallSites } from 'node:util';
import { jest } from '@jest/globals';

/**
 * Longer timers stay real. They are timeouts of requests (30 s, 300 s), and would fire while a response is
 * on its way. No sleep is as long: the node wakes up every half second.
 */
const LONGEST_SLEEP_MS = 10_000;

/**
 * Scripts whose timers need real time: Node's `fetch` and the HTTP client of n8n, because a response is on
 * its way, and jest's reporters, which share the process with `--runInBand`.
 */
const IN_REAL_TIME = /^node:|\/node_modules\/(axios|follow-redirects|@jest)\//;

/** Whether the function that calls this one is called by what needs real time. */
export function isCalledInRealTime(): boolean {
	const [, , caller] = getCallSites(3);
	return IN_REAL_TIME.test(caller?.scriptName ?? '');
}

/**
 * Stops the clock for the sleeps of n8n and the node: time passes only when the test says so. Requests work
 * as usual. {@link useRealTime} ends this.
 */
export function holdTime(): void {
	const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
	const realTimers = new WeakSet<object>();
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

	const isReal = (timer: unknown) =>
		typeof timer === 'object' && timer !== null && realTimers.has(timer);
	globalThis.setTimeout = Object.assign((...args: Parameters<typeof setTimeout>) => {
		const [, ms = 0] = args;
		// A timer of 0 ms only yields to the event loop.
		const isSleep = ms > 0 && ms <= LONGEST_SLEEP_MS && !isCalledInRealTime();
		if (isSleep) return fake.setTimeout(...args);
		const timer = real.setTimeout(...args);
		realTimers.add(timer);
		return timer;
	}, real.setTimeout);
	globalThis.clearTimeout = (timer) =>
		isReal(timer) ? real.clearTimeout(timer) : fake.clearTimeout(timer);
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
