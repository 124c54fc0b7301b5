/** What came of one attempt to deliver a webhook. */
export interface Outcome {
	/** HTTP status; null when no answer came. */
	status: number | null;
	/** The beginning of the answer's body. */
	body: string;
	/** Why it counts as failed, in words; null when it was taken. */
	error: string | null;
}

/** As much of an answer as is kept; a receiver could send without end. */
const KEPT_ANSWER_LENGTH = 4096;

/** Sends a JSON body by POST and waits for the answer; follows no redirect. Never throws. */
export async function send(
	url: string,
	body: string,
	headers: { [name: string]: string },
	signal: AbortSignal,
): Promise<Outcome> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'user-agent': 'sandbox-webhooks', ...headers },
			body,
			redirect: 'manual',
			signal,
		});
		const answer = await beginning(response);
		const error = response.ok ? null : `The receiver answered ${response.status}.`;
		return { status: response.status, body: answer, error };
	} catch (error) {
		return { status: null, body: '', error: reason(error) };
	}
}

async function beginning(response: Response): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	const chunks: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
	if (chunks === undefined) return text;
	for await (const chunk of chunks) {
		text += decoder.decode(chunk, { stream: true });
		if (text.length >= KEPT_ANSWER_LENGTH) break;
	}
	return text.slice(0, KEPT_ANSWER_LENGTH);
}

function reason(error: unknown): string {
	if (!(error instanceof Error)) return 'The receiver could not be reached.';
	if (error.name === 'TimeoutError') return 'The receiver did not answer in time.';
	const cause = error.cause instanceof Error ? error.cause.message : error.message;
	return `The receiver could not be reached: ${cause}`;
}
