/** Counts a request. @returns undefined when it is accepted, else the milliseconds until one is */
type Count = (now: number) => number | undefined;

/** How a service counts the requests of a period. */
export type Counting = 'fixed' | 'on demand' | 'sliding' | 'bucket';

/** The limits that services have. `phase` is the age of the first fixed window, in milliseconds. */
const LIMITS: Record<Counting, (requests: number, perMs: number, phase: number) => Count> = {
	/** Windows of fixed times, one right after the other. */
	fixed: (requests, perMs, phase) => {
		let window = { index: -1, requests: 0 };
		return (now) => {
			const index = Math.floor((now + phase) / perMs);
			if (index !== window.index) window = { index, requests: 0 };
			if (++window.requests <= requests) return undefined;
			return (index + 1) * perMs - phase - now;
		};
	},
	/** A window begins with the first request after the last one. */
	'on demand': (requests, perMs) => {
		let window = { start: -Infinity, requests: 0 };
		return (now) => {
			if (now >= window.start + perMs) window = { start: now, requests: 0 };
			return ++window.requests <= requests ? undefined : window.start + perMs - now;
		};
	},
	/** The requests of the last period count at any time. */
	sliding: (requests, perMs) => {
		let accepted: number[] = [];
		return (now) => {
			accepted = accepted.filter((time) => time > now - perMs);
			const [oldest = now] = accepted;
			if (accepted.length >= requests) return oldest + perMs - now;
			accepted.push(now);
			return undefined;
		};
	},
	/** Places come back evenly. */
	bucket: (requests, perMs) => {
		let bucket = { left: requests, at: 0 };
		return (now) => {
			const left = Math.min(requests, bucket.left + ((now - bucket.at) * requests) / perMs);
			bucket = { left: left >= 1 ? left - 1 : left, at: now };
			return left >= 1 ? undefined : ((1 - left) * perMs) / requests;
		};
	},
};

/** How a refusal names the wait. */
export type Naming = 'header' | 'body' | 'zero' | 'nothing';

/** What a service refuses. */
export interface Limit {
	naming: Naming;
	/** So many requests in each period. */
	period?: { counting: Counting; requests: number; perMs: number; phase?: number };
	/** So many requests at a time. */
	concurrent?: number;
	/** So many of a hundred requests, at random. These refusals name no wait. */
	random?: number;
}

/** A refusal of the rate limit. */
interface LimitRefusal {
	statusCode: 429;
	headers: Record<string, string>;
	body: Record<string, unknown>;
}

/** A service that limits its requests, in milliseconds of the clock that asks it. */
export class LimitedService {
	/** The items of accepted requests, in their order. */
	readonly accepted: unknown[] = [];

	refused = 0;

	/** When the last request was accepted. */
	lastAt = 0;

	readonly #limit: Limit;

	readonly #count: Count;

	/** Requests that are accepted and have not ended. */
	#open = 0;

	/** Of the random refusals, which are the same in each run. */
	#seed = 1;

	constructor(limit: Limit) {
		this.#limit = limit;
		const { period } = limit;
		this.#count = period
			? LIMITS[period.counting](period.requests, period.perMs, period.phase ?? 0)
			: () => undefined;
	}

	/** @returns undefined when it accepts the request for an item, which then has to {@link end} */
	request(item: unknown, now: number): LimitRefusal | undefined {
		const { naming, concurrent = Infinity, random = 0 } = this.#limit;
		this.#seed = (this.#seed * 16_807) % 2_147_483_647;
		if (this.#seed % 100 < random) return this.#refuse('nothing', 0);
		const waitMs = this.#open < concurrent ? this.#count(now) : 1;
		if (waitMs !== undefined) return this.#refuse(naming, Math.ceil(waitMs / 1000));
		this.#open++;
		this.accepted.push(item);
		this.lastAt = now;
		return undefined;
	}

	/** An accepted request has its response. */
	end(): void {
		this.#open--;
	}

	#refuse(naming: Naming, seconds: number): LimitRefusal {
		this.refused++;
		const header = { header: String(seconds), zero: '0', body: undefined, nothing: undefined };
		const value = header[naming];
		return {
			statusCode: 429,
			headers: value === undefined ? {} : { 'retry-after': value },
			body: { message: 'Too Many Attempts.', ...(naming === 'body' && { retry_after: seconds }) },
		};
	}
}
