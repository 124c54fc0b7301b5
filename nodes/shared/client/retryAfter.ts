import { isRecord } from './json';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `delay-seconds` of RFC 9110. */
const SECONDS = /^\d+$/;

/** The three forms of `HTTP-date` in RFC 9110. `Date.parse` alone also reads `1,5` as a date. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

/** Whole milliseconds. A number that is too large for them becomes the largest one, never Infinity. */
const toMs = (seconds: number) => Math.min(Math.ceil(seconds * 1000), Number.MAX_SAFE_INTEGER);

function msInText(text: string, now: number): number | undefined {
	if (SECONDS.test(text)) return toMs(Number(text));
	if (!HTTP_DATE.test(text)) return undefined;
	// Its oldest form has no time zone, and means GMT.
	const until = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
	return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}

function msInBody(body: unknown, now: number): number | undefined {
	const value = isRecord(body) ? body.retry_after : undefined;
	if (typeof value === 'string') return msInText(value, now);
	return typeof value === 'number' && value >= 0 ? toMs(value) : undefined;
}

/**
 * The wait that a rate limit asks for: in the header, else in the body, in seconds (assumption rate-limit).
 *
 * @param header `Retry-After`, if the response has it
 * @param body of the response
 * @param now the present time, in milliseconds
 * @returns milliseconds; undefined when the service names no wait, or one that cannot be read
 */
export function retryAfterMs(header: unknown, body: unknown, now: number): number | undefined {
	return (typeof header === 'string' ? msInText(header, now) : undefined) ?? msInBody(body, now);
}

/** A wait in words, for a user who decides when to try again: *3 minutes*, *more than a day*. */
export function waitText(ms: number): string {
	if (ms > DAY_MS) return 'more than a day';
	return ms > 2 * HOUR_MS
		? `${Math.ceil(ms / HOUR_MS)} hours`
		: `${Math.ceil(ms / MINUTE_MS)} minutes`;
}
