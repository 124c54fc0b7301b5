import { randomUUID } from 'node:crypto';
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { listenOnLoopback } from '../loopback.mts';
import { ClientRequests } from './clientRequests.mts';

/** A request that arrived. */
export interface ReceivedRequest {
	method: string;
	/** Path and query. */
	url: string;
	body: string;
	/** The bearer token; empty without one. */
	token: string;
}

/** A response of the service itself. */
export interface ServiceResponse {
	status: number;
	type: string;
	text: string;
}

/** A request and its connection, for a handler that is hostile. */
export interface Exchange {
	request: ReceivedRequest;
	response: ServerResponse;
	/** Takes bytes that need not be HTTP. */
	socket: Socket;
	/** Counts the requests to hostile handlers, from 0. */
	index: number;
	/** Sends the request to the service, to another path and query if one is given. */
	askService: (url?: string) => Promise<ServiceResponse>;
	/** Does something each second, while the connection is open. Without `act`: nothing at all. */
	eachSecond: (act?: (second: number) => void) => void;
	/** Waits for the clock, which stands still in tests. */
	wait: (ms: number) => Promise<void>;
	/** Sends a piece over and over again, up to so many bytes. @param unpacked the size of a piece */
	flood: (piece: Buffer, maxBytes: number, unpacked?: number) => void;
	/** The server's own address, and the beginning of one of another host. */
	origin: string;
	elsewhere: string;
}

/** Responds to a request, or does not. */
export type Handler = (exchange: Exchange) => unknown;

/** A proxy in front of the service, which is hostile from the moment it is told how. */
export type HostileServer = Awaited<ReturnType<typeof startHostileServer>>;

async function received(request: IncomingMessage): Promise<ReceivedRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const { method = '', url = '', headers } = request;
	const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
	return { method, url, body: Buffer.concat(chunks).toString(), token };
}

/** Asks the service at `origin`. Its own address in the response becomes `as`. */
function ask(origin: string, request: ReceivedRequest, as: string): Promise<ServiceResponse> {
	const { method, url, body, token } = request;
	const headers = {
		...(token && { authorization: `Bearer ${token}` }),
		...(body && { 'content-type': 'application/json' }),
	};
	return new Promise((resolve, reject) => {
		const options = { method, headers, agent: false };
		const onward = send(new URL(url, origin), options, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				const text = Buffer.concat(chunks).toString('latin1');
				const type = response.headers['content-type'] ?? '';
				resolve({ status: response.statusCode ?? 0, type, text: text.replaceAll(origin, as) });
			});
		});
		onward.on('error', reject).end(body);
	});
}

/** Lets its seconds pass in real time. */
export function tickInRealTime(server: HostileServer): Disposable {
	const ticking = setInterval(() => server.tick(), 1_000);
	return { [Symbol.dispose]: () => clearInterval(ticking) };
}

/** Sends the response of the service. */
export function passOn(response: ServerResponse, { status, type, text }: ServiceResponse): void {
	response.writeHead(status, { 'Content-Type': type }).end(Buffer.from(text, 'latin1'));
}

/**
 * Starts a hostile service on a free port, and another host beside it.
 *
 * @param serviceUrl of the service behind it, ending in `/api`
 */
export async function startHostileServer(serviceUrl: string) {
	const service = new URL(serviceUrl).origin;
	let hostile: Handler | undefined;
	let isHit: (request: ReceivedRequest) => boolean = () => true;
	let hits = 0;
	/** The connections that are open now, and those of them that wait for the clock. */
	const open = new Set<Socket>();
	const slow = new Map<Socket, (() => void) | undefined>();
	const clientRequests = new ClientRequests();
	/** A client closes its connection when it has read the whole response. */
	const watch = (socket: Socket, response: ServerResponse) => {
		open.add(socket);
		response.setHeader('Connection', 'close');
		socket.once('close', () => {
			open.delete(socket);
			slow.delete(socket);
		});
		// The client may close it at any time.
		for (const each of [socket, response]) each.on('error', () => undefined);
	};

	// Other programs may send requests to a port that was another server's before.
	const path = `/${randomUUID()}`;
	const other = await listenOnLoopback((request, response) => {
		watch(request.socket, response);
		void received(request).then((each) => {
			if (each.url.startsWith(path)) server.elsewhere.push(each);
			response.end('{}');
		});
	});
	// Another host than 127.0.0.1, at the same address.
	const elsewhere = other.origin.replace('127.0.0.1', 'localhost') + path;

	const { origin, close } = await listenOnLoopback((incoming, response) => {
		const { socket } = incoming;
		watch(socket, response);
		const isOpen = () => !socket.destroyed && !response.writableEnded;

		void received(incoming).then(async (request) => {
			const askService = (url = request.url) => ask(service, { ...request, url }, origin);
			if (hostile) server.requests.push(request);
			if (!hostile || !isHit(request)) {
				passOn(response, await askService());
				return;
			}
			await hostile({
				request,
				response,
				socket,
				index: hits++,
				askService,
				eachSecond: (act) => {
					let second = 0;
					slow.set(socket, act && (() => act(second++)));
				},
				wait: async (ms) => {
					if (ms === 0) return;
					slow.set(socket, undefined);
					await new Promise((resolve) => setTimeout(resolve, ms));
					slow.delete(socket);
				},
				flood: (piece, maxBytes, unpacked = piece.length) => {
					let sent = 0;
					const more = () => {
						if (!isOpen()) return;
						if (sent >= maxBytes) {
							response.end();
							return;
						}
						sent += unpacked;
						server.floodBytes += unpacked;
						response.write(piece, more);
					};
					more();
				},
				origin,
				elsewhere,
			});
		});
	});

	const server = {
		/** Base URL, ending in `/api`. */
		url: `${origin}/api`,
		/** Makes it hostile to the requests that are hit; default: all. */
		turn: (handler: Handler, isHitBy: typeof isHit = () => true) => {
			hostile = handler;
			isHit = isHitBy;
		},
		/** The requests since it turned hostile. */
		requests: [] as ReceivedRequest[],
		/** What reached the other host. */
		elsewhere: [] as ReceivedRequest[],
		/** How many bytes of floods its clients took, unpacked. */
		floodBytes: 0,
		/** Whether a request is on its way here, or a response that does not wait for the clock. */
		get isBusy(): boolean {
			return clientRequests.count > open.size || open.size > slow.size;
		},
		/** Whether connections get something each second. */
		get isDripping(): boolean {
			return [...slow.values()].some((drip) => drip !== undefined);
		},
		/** A second passes for them. */
		tick: () => {
			for (const drip of slow.values()) drip?.();
		},
		close: async () => {
			clientRequests[Symbol.dispose]();
			await Promise.all([close(), other.close()]);
		},
	};
	return server;
}
