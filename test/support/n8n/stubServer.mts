import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { listenOnLoopback } from '../loopback.mts';

/** A request as it arrived at a server. */
export interface StubRequest {
	method: string;
	/** Path and query. */
	url: string;
	authorization: string | undefined;
	/** Parsed JSON; undefined where there was none. */
	body: unknown;
	/** When it arrived, by the clock of the test. */
	at: number;
	/** Resolves when the connection is closed: the other side has the whole answer then. */
	closed: Promise<void>;
}

/** What a server answers: JSON, or a text as it is. */
export interface StubResponse {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** What no sandbox can be: a web site, a host that redirects, a service that breaks its own rules. */
export interface StubServer {
	/** `http://127.0.0.1:<port>` */
	origin: string;
	/** Everything that arrived, in that order. */
	requests: StubRequest[];
	/** Resolves when so many requests have arrived. */
	arrived(count: number): Promise<void>;
	close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	return text === '' ? undefined : JSON.parse(text);
}

/**
 * Starts a server on a free port.
 *
 * @param answer answers a request, when it is time; the second argument counts them from 0
 */
export async function startStubServer(
	answer: (request: StubRequest, index: number) => StubResponse | Promise<StubResponse>,
): Promise<StubServer> {
	const requests: StubRequest[] = [];
	const waiting = new Set<() => void>();
	const { origin, close } = await listenOnLoopback((incoming, response) => {
		void (async () => {
			const { method = '', url = '', headers, socket } = incoming;
			const request: StubRequest = {
				method,
				url,
				authorization: headers.authorization,
				body: await bodyOf(incoming),
				at: Date.now(),
				closed: once(socket, 'close').then(() => undefined),
			};
			requests.push(request);
			for (const look of waiting) look();
			const { status = 200, headers: more, body = '' } = await answer(request, requests.length - 1);
			const isText = typeof body === 'string';
			response.writeHead(status, {
				'Content-Type': isText ? 'text/html' : 'application/json',
				Connection: 'close',
				...more,
			});
			response.end(isText ? body : JSON.stringify(body));
		})();
	});
	return {
		origin,
		requests,
		arrived: (count) =>
			new Promise((resolve) => {
				const look = () => {
					if (requests.length < count) return;
					waiting.delete(look);
					resolve();
				};
				waiting.add(look);
				look();
			}),
		close,
	};
}
