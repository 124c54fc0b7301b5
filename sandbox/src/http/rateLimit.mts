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

/** Counts requests per user in windows of fixed length, when a limit is assumed. */
export class RateLimiter {
	readonly #limit: Assumptions['rate-limit'];
	#windows = new Map<number, { start: number; requests: number }>();

	constructor(limit: Assumptions['rate-limit']) {
		this.#limit = limit;
	}

	/**
	 * Counts a request at sandbox time `now`.
	 * @throws {TooManyRequests} beyond the limit
	 */
	count(userId: number, now: number): void {
		if (this.#limit === null) return;
		const { requests, per } = this.#limit;
		let window = this.#windows.get(userId);
		if (!window || now >= window.start + per) window = { start: now, requests: 0 };
		window.requests += 1;
		this.#windows.set(userId, window);
		if (window.requests > requests) {
			throw new TooManyRequests(Math.ceil((window.start + per - now) / 1000));
		}
	}

	clear(): void {
		this.#windows.clear();
	}
}
