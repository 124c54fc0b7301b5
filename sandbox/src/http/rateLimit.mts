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

/** When a request came that counts, in milliseconds of the sandbox and of the machine. */
interface Counted {
	at: number;
	machineAt: number;
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

/** Counts requests per user, in windows of fixed length or in a sliding one, when a limit is assumed. */
export class RateLimiter {
	readonly #assumptions: Pick<Assumptions, 'rate-limit' | 'rate-limit-headers'>;
	/** By user, the requests of the present window, the oldest first. */
	#windows = new Map<number, Counted[]>();

	/** @param assumptions are read at each request, because the weather can change */
	constructor(assumptions: Pick<Assumptions, 'rate-limit' | 'rate-limit-headers'>) {
		this.#assumptions = assumptions;
	}

	/**
	 * Counts a request at sandbox time `now`.
	 *
	 * @param machineTime goes on while the clock of the sandbox stands still
	 * @throws {TooManyRequests} beyond the limit
	 */
	count(userId: number, now: number, machineTime = now): void {
		const { 'rate-limit': limit, 'rate-limit-headers': headers } = this.#assumptions;
		if (limit === null) return;
		const { requests, per } = limit;
		const isRecent = ({ at, machineAt }: Counted) =>
			now - at < per && machineTime - machineAt < per;
		const counted = this.#windows.get(userId) ?? [];
		const [begin] = counted;
		const isSameWindow = begin !== undefined && isRecent(begin);
		const window =
			headers.windows === 'sliding' ? counted.filter(isRecent) : isSameWindow ? counted : [];
		const first = window[0]?.at ?? (headers.windows === 'whole-second' ? now - (now % 1000) : now);
		if (window.length >= requests) {
			throw new TooManyRequests(Math.ceil((first + per - now) / 1000));
		}
		const at = window.length === 0 ? first : now;
		window.push({ at, machineAt: machineTime });
		this.#windows.set(userId, window);
	}

	/** The headers that tell a user at sandbox time `now` what is left of the limit. */
	headers(userId: number, now: number): Headers {
		const { 'rate-limit': assumed, 'rate-limit-headers': headers } = this.#assumptions;
		const window = this.#windows.get(userId);
		const [first] = window ?? [];
		if (assumed === null || !window || !first) return {};
		const { requests: limit, per } = assumed;
		const time = first.at + per;
		const remaining = Math.max(0, limit - window.length);
		return FORMS[headers.form]({ limit, remaining, wait: time - now, time, per });
	}

	clear(): void {
		this.#windows.clear();
	}
}
