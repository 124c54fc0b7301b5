import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../../test/support/loopback.mts';
import { asObject, type JsonObject } from './contract.mts';

/** A webhook request that arrived. */
export interface Arrival {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage['headers'];
	readonly text: string;
	/** The parsed body. */
	readonly body: JsonObject;
}

type Responder = (arrival: Arrival, response: ServerResponse) => void;

export interface Receiver {
	readonly url: string;
	/** The requests that arrived, oldest first. */
	readonly arrivals: readonly Arrival[];
	/** Sets the response to the following requests. */
	respondWith(responder: Responder): void;
	/** Sets the response to the following requests, the same for all. */
	respond(status: number, body?: string, headers?: Record<string, string>): void;
	/** Resolves once `count` webhooks have arrived; rejects after the limit. */
	arrived(count: number, limitMs?: number): Promise<void>;
	clear(): void;
	close(): Promise<void>;
}

const accept: Responder = (_arrival, response) => {
	response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"received":true}');
};

/** Starts a web server on a free port of this machine that records its requests. */
export async function startReceiver(): Promise<Receiver> {
	const arrivals: Arrival[] = [];
	const events = new EventEmitter();
	let responder = accept;

	const { origin, close } = await listenOnLoopback((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const text = Buffer.concat(chunks).toString('utf8');
			const arrival = {
				method: request.method ?? '',
				path: request.url ?? '',
				headers: request.headers,
				text,
				get body() {
					return text === '' ? {} : asObject(JSON.parse(text), 'webhook body');
				},
			};
			arrivals.push(arrival);
			responder(arrival, response);
			events.emit('arrival');
		});
	});

	const respondWith = (next: Responder) => {
		responder = next;
	};

	return {
		url: origin,
		arrivals,
		respondWith,
		respond: (status, body = '', headers = {}) =>
			respondWith((_arrival, response) => response.writeHead(status, headers).end(body)),
		arrived: async (count, limitMs = 15_000) => {
			const signal = AbortSignal.timeout(limitMs);
			while (arrivals.length < count) {
				await once(events, 'arrival', { signal }).catch(() => {
					throw new Error(`${arrivals.length} of ${count} webhooks within ${limitMs} ms`);
				});
			}
		},
		clear: () => {
			arrivals.length = 0;
			responder = accept;
		},
		close,
	};
}

/** An address at which nobody listens. */
export async function closedAddress(): Promise<string> {
	const receiver = await startReceiver();
	await receiver.close();
	return `${receiver.url}/`;
}
