import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Deadline } from './deadline';
import { TRY_LATER } from './errors';
import { toServiceError, type Failure } from './failedRequest';
import type { ParsedResponse } from './response';
import { pauseMs, waitText } from './pauseAfterRefusal';

/** The most tries that fail in the same way. */
const MAX_TRIES = 4;

const FIRST_BACKOFF_MS = 500;

/** The longest wait for another try, in milliseconds. */
export const MAX_WAIT_MS = 60_000;

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
	/** The time limit of all tries, without the pauses that the service asks for. Without it, the deadline has one. */
	requestMs?: number;
	/** Called when the service has let the request in. */
	onAccepted?: () => void;
	/**
	 * Called when the service wants no request for a while, if others wait with this one.
	 *
	 * @returns for how long, in milliseconds
	 */
	pauseFor?: (failure: Failure) => number;
	/** Whether nobody waits in front of a screen: then a refused request has tries until a wait is too long. */
	hasTime: boolean;
	/** Waits before the next try. */
	wait: (ms: number) => Promise<void>;
}

/** What tells of a pause. */
type Pause = Pick<Failure, 'httpCode' | 'retryAfterMs'>;

/** Whether the service wants fewer requests. */
export const isRateLimit = ({ httpCode }: Pause): boolean => httpCode === '429';

/** Whether the service wants no request for a while: a rate limit, or a maintenance of which it names the end. */
export const isPause = (failure: Pause): boolean =>
	isRateLimit(failure) || (failure.httpCode === '503' && failure.retryAfterMs !== undefined);

/** The deadline was over before the request was sent. */
const NOT_SENT: Failure = {
	message: 'The service did not answer in time',
	httpCode: 'ETIMEDOUT',
	received: 'no',
};

/**
 * How long to wait after a failure, in milliseconds. Requests that failed at the same moment must not
 * come back at the same moment, so the wait is a random one, at least half of the longest.
 */
function backoffMs(tries: number): number {
	return Math.round(FIRST_BACKOFF_MS * 2 ** (tries - 1) * (1 - Math.random() / 2));
}

/** A write is repeated only when the service has refused it. */
const isRepeatable = (method: IHttpRequestMethods, failure: Failure): boolean =>
	failure.retryable === true && (method === 'GET' || failure.refused === true);

/** Why nobody waits for the service. @param askedMs the pause that it asks for */
export const whyTooLong = (askedMs: number): string =>
	askedMs > MAX_WAIT_MS
		? `It asks you to wait ${waitText(askedMs)}.`
		: 'It has accepted no request for a minute.';

/**
 * Adds how often a request was sent that the service did not let in, and what was waited for in vain, or is
 * too long to wait for.
 */
function withTries(
	method: IHttpRequestMethods,
	failure: Failure,
	tries: number,
	delay: number,
): Failure {
	if (!isPause(failure)) return failure;
	const { retryAfterMs = 0, advice = method === 'GET' ? TRY_LATER : '' } = failure;
	const result = isRateLimit(failure) ? ', and refused each time' : ' without success';
	const sent = tries > 1 ? `The request was sent ${tries} times${result}. ` : '';
	const wait = Math.max(retryAfterMs, delay) > MAX_WAIT_MS ? `${whyTooLong(retryAfterMs)} ` : '';
	return { ...failure, advice: (wait + sent + advice).trim() };
}

/**
 * Sends a request and parses its response. A read is sent again after a failure that time can mend, a write
 * only after a refusal that passes by itself (425, 429). After a 429, or a 503 that names a wait, the next try
 * waits until the pause is over.
 *
 * @returns the body of the successful response
 * @throws {ServiceError} when 4 tries failed, the deadline is over, or the wait before a try would be
 * longer than a minute or than the deadline (the pauses after refusals grow, so they end there); and what
 * `sendOnce` and `wait` throw
 */
export async function requestWithRetry(request: RetryableRequest): Promise<IDataObject> {
	const { method, sendOnce, onAccepted, hasTime, wait, deadline } = request;
	let pauses = 0;
	const { pauseFor = ({ retryAfterMs }: Failure) => pauseMs(retryAfterMs, pauses) } = request;
	let requestEnd = Date.now() + (request.requestMs ?? deadline?.requestMs ?? Infinity);
	/** The time for the next try, after a wait. */
	const leftMs = () => Math.min(requestEnd - Date.now(), deadline?.leftMs ?? Infinity);
	for (let tries = 1; ; tries++) {
		if (leftMs() <= 0) throw toServiceError(method, NOT_SENT);
		const response = await sendOnce(leftMs());
		if ('body' in response) {
			onAccepted?.();
			return response.body;
		}
		const { failure } = response;
		const mustPause = isPause(failure);
		if (mustPause) pauses++;
		else if (failure.received === 'yes') onAccepted?.();
		const alike = mustPause ? pauses : tries - pauses;
		const delay = mustPause ? pauseFor(failure) : backoffMs(alike);
		// The service needs the time of this pause, so it does not count for the request.
		if (mustPause) requestEnd += delay;
		const hasTries = alike < MAX_TRIES || (mustPause && hasTime);
		const isTooLate = delay > MAX_WAIT_MS || leftMs() <= delay;
		if (!isRepeatable(method, failure) || !hasTries || isTooLate) {
			throw toServiceError(method, withTries(method, failure, tries, delay));
		}
		await wait(delay);
	}
}
