import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

const RESPONSE_LIMIT_MS = 30_000;

/** A request as it goes over the wire. */
export interface WireRequest {
	readonly method: string;
	/** With query. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer | undefined;
}

export interface WireResponse {
	readonly status: number;
	readonly contentType: string;
	readonly text: string;
}

/** Sends requests one after the other, unchanged, over a connection that it keeps. */
export class Connection {
	readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
	readonly #url: URL;

	/** @param url the base URL of the service */
	constructor(url: string) {
		this.#url = new URL(url);
	}

	/** @throws when no response comes */
	async send({ method, path, headers, body }: WireRequest): Promise<WireResponse> {
		const { hostname, port, pathname } = this.#url;
		const request = httpRequest({
			agent: this.#agent,
			hostname,
			port,
			method,
			path: pathname + path,
			headers: { ...headers, ...(body && { 'content-length': body.length }) },
			signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
		});
		request.end(body);
		const [response] = (await once(request, 'response')) as [IncomingMessage];
		// What goes wrong later is an error of the response, too.
		request.on('error', () => undefined);
		return {
			status: response.statusCode ?? 0,
			contentType: response.headers['content-type'] ?? '',
			text: await text(response),
		};
	}

	[Symbol.dispose](): void {
		this.#agent.destroy();
	}
}
