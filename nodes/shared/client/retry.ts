import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Deadline } from './deadline';
import { toServiceError, type Failure } from './failedRequest';
import type { ParsedResponse } from './response';
import { waitText } from './retryAfter';

const MAX_TRIES = 4;
const FIRST_BACKOFF_MS = 500;
const MAX_WAIT_MS = 60_000;
/** The longest waits after a 429. Limits are often for ten seconds or a minute (assumed: retry-after). */
const RATE_LIMIT_WAITS_MS = [2_000, 10_000, 50_000];

/** A request that can be sent several times. */
interface RetryableRequest {
	method: IHttpRequestMethods;
	/**
	 * Sends the request once. Throws only when nothing was sent.
	 *
	 * @param leftMs the time for this try, above 0; Infinity without a deadline
	 */
	sendOnce: (leftMs: number) => Promise<ParsedResponse>;
	/** Of this request and others. */
	deadline?: Deadline;
	/** Called with each 429, with the time in which the service wants no request. */
	onRateLimit?: (ms: number) => void;
	/** Whether nobody waits in front of a screen: then a 429 that names no wait gets longer ones. */
	hasTime: boolean;
	/** Waits before the next try. */
	wait: (ms: number) => Promise<void>;
}

const isRateLimit = ({ httpCode }: Failure) => httpCode === '429';

/** The deadline was over before the request was sent. */
const NOT_SENT: Failure = {
	message: 'The service did not answer in time',
	httpCode: 'ETIMEDOUT',
	received: 'no',
};

/**
 * How long to wait before another try, in milliseconds. Requests that failed at the same moment must not
 * come back at the same moment, so the wait is a random one, at least half of the longest.
 */
function delayMs(failure: Failure, tries: number, hasTime: boolean): number {
	const usual = FIRST_BACKOFF_MS * 2 ** (tries - 1);
	const isLonger = hasTime && isRateLimit(failure);
	const longest = (isLonger && RATE_LIMIT_WAITS_MS[tries - 1]) || usual;
	return failure.retryAfterMs ?? Math.round(longest * (1 - Math.random() / 2));
}

/** A write is repeated only after a 429, because then the service has refused it. */
const isRepeatable = (method: IHttpRequestMethods, failure: Failure): boolean =>
	failure.retryable === true && (method === 'GET' || isRateLimit(failure));

/** Adds how often a request was sent that the rate limit refused, and the wait that is too long for the node. */
function withRateLimit(failure: Failure, tries: number): Failure {
	if (!isRateLimit(failure)) return failure;
	const { retryAfterMs = 0, advice = '' } = failure;
	const sent = tries > 1 ? `The request was sent ${tries} times, and refused each time. ` : '';
	const wait = retryAfterMs > MAX_WAIT_MS ? `It asks you to wait ${waitText(retryAfterMs)}. ` : '';
	return { ...failure, advice: wait + sent + advice };
}

/**
 * Sends a request and parses its response. After a 429, the request is sent again when the wait that the
 * service asks for is over. After any other failure, only a read is repeated: a write is never sent
 * twice unless the service refused it.
 *
 * @returns the body of the successful response
 * @throws {ServiceError} when 4 tries failed, the deadline is over, or the wait before a try would be
 * longer than a minute or than the deadline; and what `sendOnce` and `wait` throw
 */
export async function requestWithRetry(request: RetryableRequest): Promise<IDataObject> {
	const { method, sendOnce, onRateLimit, hasTime, wait, deadline } = request;
	let requestEnd = Date.now() + (deadline?.beginRequest() ?? Infinity);
	/** The time for the next try, after a wait. */
	const leftMs = () => Math.min(requestEnd - Date.now(), deadline?.leftMs ?? Infinity);
	for (let tries = 1; ; tries++) {
		if (leftMs() <= 0) throw toServiceError(method, NOT_SENT);
		const response = await sendOnce(leftMs());
		if ('body' in response) return response.body;
		const { failure } = response;
		const delay = delayMs(failure, tries, hasTime);
		if (isRateLimit(failure)) {
			onRateLimit?.(delay);
			// The service needs the time of this pause, so it does not count for the request.
			requestEnd += delay;
		}
		const isTooLate = delay > MAX_WAIT_MS || leftMs() <= delay;
		if (!isRepeatable(method, failure) || tries >= MAX_TRIES || isTooLate) {
			throw toServiceError(method, withRateLimit(failure, tries));
		}
		await wait(delay);
	}
}
