import { text } from 'node:stream/consumers';

import { listenOnLoopback } from '../../../../test/support/loopback.mts';

/** A request on its way to the service. */
export interface ForwardedRequest {
	/** Counted from 1. */
	number: number;
	method: string;
	/** With the query. */
	path: string;
	authorization: string | undefined;
	/** Everything else of it that could hold a token. */
	rest: string;
}

interface ProxyOptions {
	/** Is called before a request goes on. @returns a status that is sent in place of the service's response */
	before?: (request: ForwardedRequest) => Promise<number | undefined> | number | undefined;
	/** Is called when the service has answered. @returns another body */
	after?: (request: ForwardedRequest, response: string) => string | undefined;
}

/** A 429 need not be waited for. */
const JSON_HEADERS = { 'Content-Type': 'application/json', 'Retry-After': '0' };

/** Stands between verify and a service, and may interfere. It ends with the test: `await using`. */
export async function startProxy(baseUrl: string, { before, after }: ProxyOptions) {
	let number = 0;
	const { pathname, origin } = new URL(baseUrl);
	const server = await listenOnLoopback((incoming, outgoing) => {
		void (async () => {
			const { method = '', url: path = '' } = incoming;
			const { authorization, accept = '', ...others } = incoming.headers;
			const body = await text(incoming);
			number += 1;
			const rest = JSON.stringify([others, path, body]);
			const request = { number, method, path, authorization, rest };
			const status = await before?.(request);
			if (status !== undefined) {
				outgoing.writeHead(status, JSON_HEADERS).end('{"message":"No."}');
				return;
			}
			const headers = {
				accept,
				authorization: authorization ?? '',
				'content-type': 'application/json',
			};
			const response = await fetch(origin + path, {
				method,
				headers,
				...(body !== '' && { body }),
			});
			const answer = await response.text();
			const other = after?.(request, answer);
			// The service may not have what is read there.
			const isRead = other !== undefined && method === 'GET';
			outgoing.writeHead(isRead ? 200 : response.status, JSON_HEADERS).end(other ?? answer);
		})().catch(() => outgoing.destroy());
	});
	return { url: server.origin + pathname, [Symbol.asyncDispose]: server.close };
}
