import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { connectionFailure } from './connection';
import { toServiceError, type Failure } from './failure';
import { readResponse, type Response } from './response';

const MAX_TRIES = 4;
const FIRST_BACKOFF_MS = 500;
const MAX_WAIT_MS = 60_000;

/** A request and the means to send it. */
export interface Attempts {
	method: IHttpRequestMethods;
	/** Sends the request once; throws what the HTTP client throws where no response came. */
	send: () => Promise<Response>;
	/** Is told of each 429 for how many milliseconds the service wants no request at all. */
	onRateLimit?: (ms: number) => void;
	/** Waits so many milliseconds before the next try. */
	pause: (ms: number) => Promise<void>;
}

const isRateLimit = ({ httpCode }: Failure) => httpCode === '429';

/** How long to wait before another try, in milliseconds. */
const delayMs = ({ retryAfterMs }: Failure, tries: number): number =>
	retryAfterMs ?? FIRST_BACKOFF_MS * 2 ** (tries - 1);

/** A write is repeated after a 429 only: the service has clearly refused it. */
const isRepeatable = (method: IHttpRequestMethods, failure: Failure): boolean =>
	failure.retryable === true && (method === 'GET' || isRateLimit(failure));

/** Adds how long the service wants to be left alone, where that is longer than a step should wait. */
function withLongWait(failure: Failure): Failure {
	const { retryAfterMs = 0, advice = '' } = failure;
	if (retryAfterMs <= MAX_WAIT_MS) return failure;
	const minutes = Math.ceil(retryAfterMs / 60_000);
	return { ...failure, advice: `It asks you to wait ${minutes} minutes. ${advice}` };
}

/**
 * Sends a request and reads its response. A request that was refused for coming too fast (429) is sent
 * again after the wait that the service asks for. Any other failure is repeated for reads only: a write
 * is never sent twice unless the service clearly refused it.
 *
 * @returns the body of the successful response
 * @throws {ServiceError} when the request did not succeed within 4 tries, or would have to wait longer
 * than a minute for one; and what `pause` throws
 */
export async function requestWithRetry(attempts: Attempts): Promise<IDataObject> {
	const { method, send, onRateLimit, pause } = attempts;
	for (let tries = 1; ; tries++) {
		const outcome = await send().then(readResponse, (error: unknown) => ({
			failure: connectionFailure(error),
		}));
		if ('body' in outcome) return outcome.body;
		const { failure } = outcome;
		const delay = delayMs(failure, tries);
		if (isRateLimit(failure)) onRateLimit?.(delay);
		if (!isRepeatable(method, failure) || tries >= MAX_TRIES || delay > MAX_WAIT_MS) {
			throw toServiceError(method, withLongWait(failure));
		}
		await pause(delay);
	}
}
