import type { IncomingMessage } from 'node:http';
import { afterEach } from '@jest/globals';
import { listenOnLoopback } from '../loopback.mts';

/** A request that arrived at a stub server. */
interface StubRequest {
	method: string;
	/** Path and query. */
	url: string;
	authorization: string | undefined;
	/** Parsed JSON; undefined if the request had no body. */
	body: unknown;
	/** The time of arrival, by the clock of the test. */
	at: number;
	/** Resolves when the connection is closed: the client has the whole response then. */
	closed: Promise<void>;
}

/** The response of a stub server: an object is sent as JSON, a string unchanged. */
export interface StubResponse {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** A server that behaves unlike the sandbox: a web site, a host that redirects, a service that breaks the contract. */
export interface StubServer {
	/** `http://127.0.0.1:<port>` */
	origin: string;
	/** The requests that arrived, oldest first. */
	requests: StubRequest[];
	/** Resolves when `count` requests have arrived. */
	arrived(count: number): Promise<void>;
	close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	return text === '' ? undefined : JSON.parse(text);
}

/**
 * Starts a server on a free port.
 *
 * @param respond gives the response to a request; the second argument counts the requests from 0
 */
export async function startStubServer(
	respond: (request: StubRequest, index: number) => StubResponse | Promise<StubResponse>,
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
				body: await readBody(incoming),
				at: Date.now(),
				closed: new Promise((resolve) => socket.once('close', () => resolve())),
			};
			requests.push(request);
			for (const check of waiting) check();
			const {
				status = 200,
				headers: more,
				body = '',
			} = await respond(request, requests.length - 1);
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
				const check = () => {
					if (requests.length < count) return;
					waiting.delete(check);
					resolve();
				};
				waiting.add(check);
				check();
			}),
		close,
	};
}

/**
 * Gives a function like {@link startStubServer} whose servers are closed after each test. Call it at the
 * top of a file.
 */
export function stubServersPerTest(): typeof startStubServer {
	const servers: StubServer[] = [];
	afterEach(async () => {
		await Promise.all(servers.splice(0).map((server) => server.close()));
	});
	return async (respond) => {
		const server = await startStubServer(respond);
		servers.push(server);
		return server;
	};
}
