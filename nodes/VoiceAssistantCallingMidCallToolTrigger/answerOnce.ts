import type { IWebhookFunctions } from 'n8n-workflow';

import { ANSWER_HEADER, textAnswer } from '../shared/midCallTools/toolCall';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * How much of the timeout is left when the fallback is sent. The request and the answer need time on
 * their way, and a busy n8n 2.41 reads a request up to a second late.
 */
const RESERVE_PART = 0.25;
const MAX_RESERVE_MS = 2000;

/** How long a workflow may take to answer. @param timeoutMs of the tool */
export const timeLimitMs = (timeoutMs: number): number =>
	timeoutMs - Math.min(MAX_RESERVE_MS, timeoutMs * RESERVE_PART);

/** After an answer, n8n must neither send another one nor fail because the first one was sent. */
function ignoreFurtherAnswers(response: Response): void {
	Object.assign(response, {
		setHeader: () => response,
		setHeaders: () => response,
		appendHeader: () => response,
		removeHeader: () => undefined,
		write: () => true,
		end: () => response,
	});
}

/**
 * Makes sure that the assistant gets exactly one answer, in time, and never an error of n8n. The first
 * answer of *Mid Call Tool → Respond* is sent. The fallback is sent when the workflow fails or ends
 * without an answer (n8n 2.0, 2.41: status 500, or an empty body), or when the time is over.
 *
 * @param response to the tool's request; n8n uses the same object
 * @param fallback a text that the assistant can say
 * @param timeLimitMs how long the workflow may take to answer
 */
export function answerOnce(response: Response, fallback: string, timeLimitMs: number): void {
	const end = response.end.bind(response);

	const sendFallback = (): Response => {
		const body = JSON.stringify(textAnswer(fallback));
		response.statusCode = 200;
		response.setHeader('Content-Type', 'application/json; charset=utf-8');
		response.setHeader('Content-Length', Buffer.byteLength(body));
		end(body);
		ignoreFurtherAnswers(response);
		return response;
	};

	response.end = ((...args: Parameters<Response['end']>): Response => {
		const isAnswer = response.hasHeader(ANSWER_HEADER) || response.headersSent;
		if (!isAnswer) return sendFallback();
		end(...args);
		ignoreFurtherAnswers(response);
		return response;
	}) as Response['end'];

	// Unlike `sleep`, this timer does not keep a process running that is about to end.
	AbortSignal.timeout(timeLimitMs).addEventListener('abort', () => {
		if (!response.headersSent) sendFallback();
	});
}
