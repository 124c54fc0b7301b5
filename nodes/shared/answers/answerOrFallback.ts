import type { IWebhookFunctions } from 'n8n-workflow';

import { asText } from '../values/json';
import { ANSWER_HEADER } from './answer';

/** The response to a request that a webhook of n8n gets. */
export type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

const toText = (chunk: unknown): string =>
	Buffer.isBuffer(chunk) ? chunk.toString() : asText(chunk);

/** Sends the body of an answer, which is JSON. */
export function sendAnswer(response: WebhookResponse, body: string): void {
	response.statusCode = 200;
	response.setHeader('Content-Type', 'application/json; charset=utf-8');
	response.setHeader('Content-Length', Buffer.byteLength(body));
	response.end(body);
}

/**
 * After an answer, n8n must neither send another one nor fail because the first one was sent.
 *
 * @param onEnd gets what n8n would send, and whether it is an answer of *Call → Respond*
 */
function ignoreFurtherAnswers(
	response: WebhookResponse,
	onEnd: (body: string, isAnswer: boolean) => void,
): void {
	let isAnswer = false;
	const setHeaders = (names: Iterable<string>) => {
		isAnswer ||= [...names].some((name) => name.toLowerCase() === ANSWER_HEADER);
		return response;
	};
	Object.assign(response, {
		setHeader: (name: string) => setHeaders([name]),
		setHeaders: (headers: Map<string, unknown>) => setHeaders(headers.keys()),
		appendHeader: () => response,
		removeHeader: () => undefined,
		write: () => true,
		end: (chunk: unknown) => {
			onEnd(toText(chunk), isAnswer);
			return response;
		},
	});
}

/**
 * Makes sure that the assistant gets exactly one answer, in time, and never an error of n8n. The first
 * answer of *Call → Respond* is sent. The fallback is sent when the workflow fails or ends
 * without an answer (n8n.md#webhook-without-an-answer), or when the time is over.
 *
 * @param response to the request; n8n uses the same object
 * @param fallback the body that is sent without an answer of the workflow
 * @param timeLimitMs how long the workflow may take to answer
 * @returns the body of the workflow's answer, also of one that comes after the fallback; undefined when the
 * workflow ends without one
 */
export async function answerOrFallback(
	response: WebhookResponse,
	fallback: string,
	timeLimitMs: number,
): Promise<string | undefined> {
	const end = response.end.bind(response);

	return await new Promise((resolve) => {
		const onLateEnd = (body: string, isAnswer: boolean) => {
			resolve(isAnswer ? body : undefined);
		};
		const sendFallback = () => {
			response.end = end;
			sendAnswer(response, fallback);
			ignoreFurtherAnswers(response, onLateEnd);
		};

		response.end = ((...args: Parameters<WebhookResponse['end']>): WebhookResponse => {
			const isAnswer = response.hasHeader(ANSWER_HEADER);
			if (isAnswer || response.headersSent) {
				end(...args);
				ignoreFurtherAnswers(response, onLateEnd);
			} else {
				sendFallback();
			}
			resolve(isAnswer ? toText(args[0]) : undefined);
			return response;
		}) as WebhookResponse['end'];

		// Unlike `sleep`, this timer does not keep a process running that is about to end.
		AbortSignal.timeout(timeLimitMs).addEventListener('abort', () => {
			if (!response.headersSent) sendFallback();
		});
	});
}
