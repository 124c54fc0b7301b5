import { ApiError, type Response } from '../base/apiError.mts';
import type { Assumptions } from '../contract/assumptions.mts';

/** A 429 that says when to come again. */
class TooManyRequests extends ApiError {
	override readonly response: Response;

	constructor(retryAfter: number) {
		super(429, 'Too Many Attempts.');
		const body = { message: this.message, retry_after: retryAfter };
		this.response = { status: 429, body, headers: { 'retry-after': String(retryAfter) } };
	}
}

interface Window {
	start: number;
	requests: number;
}

/** What a response can say of the limit. Reset is in milliseconds, as a wait and as a time. */
interface Announced {
	limit: number;
	remaining: number;
	wait: number;
	time: number;
	per: number;
}

interface Headers {
	[name: string]: string;
}

const wholeSeconds = (ms: number): string => String(Math.ceil(ms / 1000));

const threeHeaders = (prefix: string, { limit, remaining }: Announced, reset: string): Headers => ({
	[`${prefix}-limit`]: String(limit),
	[`${prefix}-remaining`]: String(remaining),
	[`${prefix}-reset`]: reset,
});

/** The forms in which services announce a limit (assumption `rate-limit-headers`). */
const FORMS: {
	[form in Assumptions['rate-limit-headers']['form']]: (announced: Announced) => Headers;
} = {
	none: () => ({}),
	'x-seconds': (each) => threeHeaders('x-ratelimit', each, wholeSeconds(each.wait)),
	'x-fraction': (each) => threeHeaders('x-ratelimit', each, (each.wait / 1000).toFixed(3)),
	'x-time': (each) => threeHeaders('x-ratelimit', each, wholeSeconds(each.time)),
	'x-time-ms': (each) => threeHeaders('x-ratelimit', each, String(each.time)),
	'ietf-three': (each) => threeHeaders('ratelimit', each, wholeSeconds(each.wait)),
	'ietf-one': ({ limit, remaining, wait }) => ({
		ratelimit: `limit=${limit}, remaining=${remaining}, reset=${wholeSeconds(wait)}`,
	}),
	'ietf-policy': ({ limit, remaining, wait, per }) => ({
		'ratelimit-policy': `"default";q=${limit};w=${wholeSeconds(per)}`,
		ratelimit: `"default";r=${remaining};t=${wholeSeconds(wait)}`,
	}),
};

/** Counts requests per user in windows of fixed length, when a limit is assumed. */
export class RateLimiter {
	readonly #limit: Assumptions['rate-limit'];
	readonly #headers: Assumptions['rate-limit-headers'];
	#windows = new Map<number, Window>();

	constructor(assumptions: Pick<Assumptions, 'rate-limit' | 'rate-limit-headers'>) {
		this.#limit = assumptions['rate-limit'];
		this.#headers = assumptions['rate-limit-headers'];
	}

	/**
	 * Counts a request at sandbox time `now`.
	 * @throws {TooManyRequests} beyond the limit
	 */
	count(userId: number, now: number): void {
		if (this.#limit === null) return;
		const { requests, per } = this.#limit;
		let window = this.#windows.get(userId);
		if (!window || now >= window.start + per) {
			const early = this.#headers.windows === 'whole-second' ? now % 1000 : 0;
			window = { start: now - early, requests: 0 };
		}
		window.requests += 1;
		this.#windows.set(userId, window);
		if (window.requests > requests) {
			throw new TooManyRequests(Math.ceil((window.start + per - now) / 1000));
		}
	}

	/** The headers that tell a user at sandbox time `now` what is left of the limit. */
	headers(userId: number, now: number): Headers {
		const window = this.#windows.get(userId);
		if (this.#limit === null || !window) return {};
		const { requests: limit, per } = this.#limit;
		const time = window.start + per;
		const remaining = Math.max(0, limit - window.requests);
		return FORMS[this.#headers.form]({ limit, remaining, wait: time - now, time, per });
	}

	clear(): void {
		this.#windows.clear();
	}
}
