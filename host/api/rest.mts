import * as z from 'zod';

const REQUEST_LIMIT_MS = 60_000;

const envelope = z.object({ data: z.unknown() });
const refusal = z.object({ message: z.string() });

/** n8n has said no. */
export class Refused extends Error {
	/** n8n's own words, which its editor shows */
	readonly words: string;

	constructor(what: string, words: string) {
		super(`n8n refused ${what}: ${words}`);
		this.words = words;
	}
}

/** n8n has said nothing: it is not there, or too busy. */
export class NoAnswer extends Error {}

/** A browser that talks to n8n's REST API: it keeps the session. */
export interface Rest {
	/**
	 * Sends a request and gives the answer, whatever it is.
	 *
	 * @param path from n8n's root, such as `/rest/settings`
	 * @throws NoAnswer when n8n does not answer
	 */
	send: (method: string, path: string, body?: unknown) => Promise<Response>;
	/**
	 * Sends a request to the API and gives the `data` of the answer.
	 *
	 * @param path below `/rest`
	 * @throws Refused when n8n refuses, NoAnswer when it does not answer, Error when not as expected
	 */
	call: <T>(
		answer: z.ZodType<T, z.ZodTypeDef, unknown>,
		method: string,
		path: string,
		body?: unknown,
	) => Promise<T>;
}

/** Opens n8n's REST API (n8n 2.0.0 and 2.41.1). @param url base URL of n8n */
export function openRest(url: string): Rest {
	let cookie = '';

	const send: Rest['send'] = async (method, path, body) => {
		const request = fetch(`${url}${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				// n8n ties a session to one browser.
				'browser-id': 'voice-assistant-calling-host',
				cookie,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
		});
		const response = await request.catch((error: unknown) => {
			throw new NoAnswer(`n8n did not answer ${method} ${path}.`, { cause: error });
		});
		const session = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (session !== undefined) cookie = session.split(';')[0] ?? '';
		return response;
	};

	return {
		send,
		async call(answer, method, path, body) {
			const response = await send(method, `/rest${path}`, body);
			const text = await response.text();
			if (!response.ok) {
				throw new Refused(`${method} ${path} (${response.status})`, reason(text));
			}
			return answer.parse(envelope.parse(JSON.parse(text)).data);
		},
	};
}

/** Why n8n refuses: the message of its answer, or the beginning of what it sent instead. */
export function reason(text: string): string {
	try {
		return refusal.parse(JSON.parse(text)).message;
	} catch {
		return text.slice(0, 300);
	}
}
