import { ApiError, type Response } from '../base/apiError.mts';
import type { Assumptions } from '../contract/assumptions.mts';

/** A 429 that says when to come again (public-service.md, "Errors": S1, S6, S9; assumption: rate-limit). */
class TooManyRequests extends ApiError {
	override readonly response: Response;

	constructor(retryAfter: number) {
		super(429, 'Too Many Attempts.');
		const body = { message: this.message, retry_after: retryAfter };
		this.response = { status: 429, body, headers: { 'retry-after': String(retryAfter) } };
	}
}

/** A window of fixed length. It begins with the first request after the last window. */
interface Window {
	/** In milliseconds of the sandbox and of the machine. */
	at: number;
	machineAt: number;
	requests: number;
}

/** Counts requests per user, when a limit is assumed (assumption: rate-limit). */
export class RateLimiter {
	readonly #assumptions: Pick<Assumptions, 'rate-limit' | 'rate-limit-headers'>;
	#windows = new Map<number, Window>();

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
		const limit = this.#assumptions['rate-limit'];
		if (limit === null) return;
		const { requests, per } = limit;
		const last = this.#windows.get(userId);
		const isOpen = last && now - last.at < per && machineTime - last.machineAt < per;
		const window = isOpen ? last : { at: now, machineAt: machineTime, requests: 0 };
		if (window.requests >= requests) {
			throw new TooManyRequests(Math.ceil((window.at + per - now) / 1000));
		}
		window.requests += 1;
		this.#windows.set(userId, window);
	}

	/**
	 * The headers that tell a user what is left of the limit, with the reset as a Unix time (public-service.md,
	 * "rate-limit-headers": S1).
	 */
	headers(userId: number): { [name: string]: string } {
		const { 'rate-limit': limit, 'rate-limit-headers': form } = this.#assumptions;
		const window = this.#windows.get(userId);
		if (form === 'none' || limit === null || !window) return {};
		return {
			'x-ratelimit-limit': String(limit.requests),
			'x-ratelimit-remaining': String(Math.max(0, limit.requests - window.requests)),
			'x-ratelimit-reset': String(Math.ceil((window.at + limit.per) / 1000)),
		};
	}

	clear(): void {
		this.#windows.clear();
	}
}
