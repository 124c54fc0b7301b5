import * as z from 'zod';

const REQUEST_LIMIT_MS = 60_000;

const envelope = z.object({ data: z.unknown() });
const errorBody = z.object({ message: z.string() });

/** n8n refuses a request. */
export class N8nError extends Error {
	/** n8n's own message, which its editor shows */
	readonly n8nMessage: string;

	constructor(what: string, n8nMessage: string) {
		super(`n8n refused ${what}: ${n8nMessage}`);
		this.n8nMessage = n8nMessage;
	}
}

/** n8n does not respond: it is not there, or too busy. */
export class NoResponse extends Error {}

export type Rest = ReturnType<typeof openRest>;

/** Opens n8n's REST API (n8n 2.0.0 and 2.41.1). @param url base URL of n8n */
export function openRest(url: string) {
	let cookie = '';

	/**
	 * Sends a request and gives the response, whatever its status is.
	 *
	 * @param path from n8n's root, such as `/rest/settings`
	 * @throws NoResponse
	 */
	const send = async (method: string, path: string, body?: unknown): Promise<Response> => {
		const request = fetch(`${url}${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				// n8n ties a session to one browser.
				'browser-id': 'voice-assistant-calling-host',
				// n8n closes a connection that waits for 5 s, perhaps just when it is used again.
				connection: 'close',
				cookie,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
		});
		const response = await request.catch((error: unknown) => {
			throw new NoResponse(`n8n did not respond to ${method} ${path}.`, { cause: error });
		});
		const session = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (session !== undefined) cookie = session.split(';')[0] ?? '';
		return response;
	};

	return {
		send,

		/**
		 * Sends a request to the API and gives the `data` of the response.
		 *
		 * @param schema of the data
		 * @param path below `/rest`
		 * @throws N8nError, NoResponse, ZodError when the data does not match the schema
		 */
		call: async <T,>(
			schema: z.ZodType<T, z.ZodTypeDef, unknown>,
			method: string,
			path: string,
			body?: unknown,
		): Promise<T> => {
			const response = await send(method, `/rest${path}`, body);
			const text = await response.text();
			// n8n 2.41 does so while its work keeps it from its database.
			if (response.status === 503) throw new NoResponse(`n8n is too busy for ${method} ${path}.`);
			if (!response.ok) {
				throw new N8nError(`${method} ${path} (${response.status})`, n8nMessageIn(text));
			}
			return schema.parse(envelope.parse(JSON.parse(text)).data);
		},
	};
}

/** The message in the body of an error response, or the beginning of the body. */
export function n8nMessageIn(text: string): string {
	try {
		return errorBody.parse(JSON.parse(text)).message;
	} catch {
		return text.slice(0, 300);
	}
}
