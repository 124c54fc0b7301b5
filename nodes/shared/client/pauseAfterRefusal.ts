import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The shortest first pause after a refusal. */
const FIRST_PAUSE_MS = 1_000;

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

function msInBody(body: unknown): number | undefined {
	const { retry_after: value }: IDataObject = isRecord(body) ? body : {};
	const seconds = typeof value === 'string' && SECONDS.test(value) ? Number(value) : value;
	return typeof seconds === 'number' && seconds >= 0 ? toMs(seconds) : undefined;
}

/**
 * The wait that a rate limit asks for: in the header (RFC 9110), else in `retry_after` of the body, in seconds
 * (public-service: retry-after; S1, S6, S9). A date counts from the response's `Date`, because n8n's clock can
 * be another one.
 *
 * @param headers of the response, with names in lower case
 * @param body of the response
 * @param now the present time, in milliseconds
 * @returns milliseconds; undefined when the service names no wait, or one that cannot be read
 */
export function retryAfterMs(
	headers: Record<string, unknown>,
	body: unknown,
	now: number,
): number | undefined {
	const { date, 'retry-after': header } = headers;
	const isDated = typeof date === 'string' && HTTP_DATE.test(date);
	const sentAt = (isDated && Date.parse(date)) || now;
	return (typeof header === 'string' ? msInText(header, sentAt) : undefined) ?? msInBody(body);
}

/**
 * The pause after a refusal: what the service asks for, but no less than 1, 2, 4, 8 … seconds. A pause that
 * the service has not named varies, so that several n8n do not come back at the same moment.
 *
 * @param askedMs see {@link retryAfterMs}
 * @param refusals how many pauses in a row, this one included, since a request was accepted
 * @returns milliseconds
 */
export function pauseMs(askedMs = 0, refusals: number): number {
	const least = FIRST_PAUSE_MS * 2 ** (refusals - 1);
	return askedMs >= least ? askedMs : Math.round(least * (1 + Math.random() / 8));
}

/** A wait in words, for a user who decides when to try again: *3 minutes*, *more than a day*. */
export function waitText(ms: number): string {
	if (ms > DAY_MS) return 'more than a day';
	return ms > 2 * HOUR_MS
		? `${Math.ceil(ms / HOUR_MS)} hours`
		: `${Math.ceil(ms / MINUTE_MS)} minutes`;
}
