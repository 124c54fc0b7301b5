import { timeLimit } from '../base/realTime.mts';

interface OutboundRequest {
	method: string;
	url: string;
	headers: Headers | { [name: string]: string };
	body?: string | undefined;
	/** Who receives the request, for messages: `receiver`, `tool`. */
	receiver: string;
	/** How long the whole response may take, in real milliseconds. */
	limit: number;
	aborted: AbortSignal;
}

export interface SendResult {
	/** HTTP status; null when no response came. */
	status: number | null;
	/** The beginning of the response's body. */
	body: string;
	/** Whether `body` is the whole body. */
	isWhole: boolean;
	/** Why it failed; null when the receiver accepted it. */
	error: string | null;
}

/** Those of every webhook. */
export const JSON_HEADERS = {
	'content-type': 'application/json',
	'user-agent': 'sandbox-webhooks',
};

/** How much of a response is read, because a receiver could send without end. */
export const MAX_BODY_LENGTH = 4096;

/** Sends a request and waits for the response; follows no redirect. Never throws. */
export async function send(request: OutboundRequest): Promise<SendResult> {
	const { method, url, headers, body, receiver, limit, aborted } = request;
	try {
		const sent = new Headers(headers);
		// A receiver that closes an idle connection just now would lose the request.
		sent.set('connection', 'close');
		const response = await fetch(url, {
			method,
			headers: sent,
			// fetch gives a text a type of its own.
			...(body !== undefined && { body: Buffer.from(body) }),
			redirect: 'manual',
			signal: timeLimit(limit, aborted),
		});
		const text = await bodyStart(response);
		return {
			status: response.status,
			body: text.slice(0, MAX_BODY_LENGTH),
			isWhole: text.length <= MAX_BODY_LENGTH,
			error: response.ok ? null : `The ${receiver} answered ${response.status}.`,
		};
	} catch (error) {
		// Node repeats a URL that it does not accept, and a password can be in it.
		const message = reason(error, receiver, limit).replaceAll(url, 'the URL');
		return { status: null, body: '', isWhole: false, error: message };
	}
}

/** The body, or a little more than its first {@link MAX_BODY_LENGTH} characters. */
async function bodyStart({ body }: { body: AsyncIterable<Uint8Array> | null }): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for await (const chunk of body ?? []) {
		text += decoder.decode(chunk, { stream: true });
		if (text.length > MAX_BODY_LENGTH) break;
	}
	return text;
}

function reason(error: unknown, receiver: string, limit: number): string {
	if (error instanceof Error && error.name === 'TimeoutError') {
		const seconds = limit / 1000;
		return `The ${receiver} did not answer within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
	}
	if (!(error instanceof Error)) return `The ${receiver} could not be reached.`;
	const cause = error.cause instanceof Error ? error.cause.message : error.message;
	return `The ${receiver} could not be reached: ${cause}`;
}
