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

	readonly #count: Count;

	readonly #naming: Naming;

	/** @param phase how old the first window is, where its times are fixed */
	constructor(counting: Counting, requests: number, perMs: number, naming: Naming, phase = 0) {
		this.#count = LIMITS[counting](requests, perMs, phase);
		this.#naming = naming;
	}

	/** @returns undefined when it accepts the request for an item */
	request(item: unknown, now: number): LimitRefusal | undefined {
		const waitMs = this.#count(now);
		if (waitMs === undefined) {
			this.accepted.push(item);
			this.lastAt = now;
			return undefined;
		}
		this.refused++;
		const seconds = Math.ceil(waitMs / 1000);
		const header = { header: String(seconds), zero: '0', body: undefined, nothing: undefined };
		const value = header[this.#naming];
		return {
			statusCode: 429,
			headers: value === undefined ? {} : { 'retry-after': value },
			body: {
				message: 'Too Many Attempts.',
				...(this.#naming === 'body' && { retry_after: seconds }),
			},
		};
	}
}
