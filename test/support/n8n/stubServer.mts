import { EventEmitter, once } from 'node:events';
import { text } from 'node:stream/consumers';
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

/**
 * Starts a server on a free port.
 *
 * @param respond gives the response to a request; the second argument counts the requests from 0
 */
export async function startStubServer(
	respond: (request: StubRequest, index: number) => StubResponse | Promise<StubResponse>,
): Promise<StubServer> {
	const requests: StubRequest[] = [];
	const arrivals = new EventEmitter();
	// Each response that waits for other requests listens.
	arrivals.setMaxListeners(0);
	const { origin, close } = await listenOnLoopback((incoming, response) => {
		void (async () => {
			const { method = '', url = '', headers, socket } = incoming;
			const received = await text(incoming);
			const request: StubRequest = {
				method,
				url,
				authorization: headers.authorization,
				body: received === '' ? undefined : JSON.parse(received),
				at: Date.now(),
				closed: new Promise((resolve) => socket.once('close', () => resolve())),
			};
			requests.push(request);
			arrivals.emit('request');
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
		arrived: async (count) => {
			while (requests.length < count) await once(arrivals, 'request');
		},
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
