/** The result of one attempt to deliver a webhook. */
export interface SendResult {
	/** HTTP status; null when no response came. */
	status: number | null;
	/** The beginning of the response's body. */
	body: string;
	/** Why it failed; null when the receiver accepted it. */
	error: string | null;
}

/** A receiver could send without end. */
const MAX_BODY_LENGTH = 4096;

/** Sends a JSON body by POST and waits for the response; follows no redirect. Never throws. */
export async function send(
	url: string,
	body: string,
	headers: { [name: string]: string },
	signal: AbortSignal,
): Promise<SendResult> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'user-agent': 'sandbox-webhooks', ...headers },
			body,
			redirect: 'manual',
			signal,
		});
		const text = await bodyStart(response);
		const error = response.ok ? null : `The receiver answered ${response.status}.`;
		return { status: response.status, body: text, error };
	} catch (error) {
		return { status: null, body: '', error: reason(error) };
	}
}

async function bodyStart(response: Response): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	const chunks: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
	if (chunks === undefined) return text;
	for await (const chunk of chunks) {
		text += decoder.decode(chunk, { stream: true });
		if (text.length >= MAX_BODY_LENGTH) break;
	}
	return text.slice(0, MAX_BODY_LENGTH);
}

function reason(error: unknown): string {
	if (!(error instanceof Error)) return 'The receiver could not be reached.';
	if (error.name === 'TimeoutError') return 'The receiver did not answer in time.';
	const cause = error.cause instanceof Error ? error.cause.message : error.message;
	return `The receiver could not be reached: ${cause}`;
}
