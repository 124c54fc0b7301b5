import { ApiError } from '../base/apiError.mts';
import type { Response } from '../base/response.mts';
import type { Assumptions } from '../contract/assumptions.mts';

/** A 429 that says when to come again. */
class TooManyRequests extends ApiError {
	readonly retryAfter: number;

	constructor(retryAfter: number) {
		super(429, 'Too Many Attempts.');
		this.retryAfter = retryAfter;
	}

	override get response(): Response {
		const body = { message: this.message, retry_after: this.retryAfter };
		return { status: this.status, body, headers: { 'retry-after': String(this.retryAfter) } };
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
