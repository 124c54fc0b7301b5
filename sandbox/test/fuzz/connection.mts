import { Agent, request as httpRequest } from 'node:http';

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
	send({ method, path, headers, body }: WireRequest): Promise<WireResponse> {
		const { hostname, port, pathname } = this.#url;
		return new Promise((resolve, reject) => {
			const request = httpRequest(
				{
					agent: this.#agent,
					hostname,
					port,
					method,
					path: pathname + path,
					headers: { ...headers, ...(body && { 'content-length': body.length }) },
					timeout: RESPONSE_LIMIT_MS,
				},
				(response) => {
					const chunks: Buffer[] = [];
					response.on('data', (chunk: Buffer) => chunks.push(chunk));
					response.on('end', () =>
						resolve({
							status: response.statusCode ?? 0,
							contentType: response.headers['content-type'] ?? '',
							text: Buffer.concat(chunks).toString(),
						}),
					);
					response.on('error', reject);
				},
			);
			request.on('timeout', () => request.destroy(new Error('no answer')));
			request.on('error', reject);
			request.end(body);
		});
	}

	close(): void {
		this.#agent.destroy();
	}
}
