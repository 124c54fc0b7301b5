import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../../../../test/support/loopback.mts';

/** A request on its way to the service. */
export interface ForwardedRequest {
	/** Counted from 1. */
	number: number;
	method: string;
	/** With the query. */
	path: string;
	headers: IncomingHttpHeaders;
	/** The body; '' without one. */
	text: string;
}

interface ProxyOptions {
	/** Is called before a request goes on. @returns a status that is sent in place of the service's response */
	before?: (request: ForwardedRequest) => Promise<number | undefined> | number | undefined;
	/** Is called when the service has answered, before the client knows. @returns another body */
	after?: (
		request: ForwardedRequest,
		response: string,
	) => Promise<string | undefined> | string | undefined;
}

/** A 429 need not be waited for. */
const REFUSAL_HEADERS = { 'Content-Type': 'application/json', 'Retry-After': '0' };

/** Stands between verify and a service, and may interfere. It ends with the test: `await using`. */
export async function startProxy(baseUrl: string, { before, after }: ProxyOptions) {
	let number = 0;
	const { pathname, origin } = new URL(baseUrl);
	const server = await listenOnLoopback((incoming, outgoing) => {
		void (async () => {
			const { method = '', url: path = '', headers } = incoming;
			number += 1;
			const request = { number, method, path, headers, text: await text(incoming) };
			const status = await before?.(request);
			if (status !== undefined) {
				outgoing.writeHead(status, REFUSAL_HEADERS).end('{"message":"No."}');
				return;
			}
			const response = await fetch(origin + path, {
				method,
				headers: forwarded(headers),
				...(request.text !== '' && { body: request.text }),
			});
			const body = await response.text();
			const other = await after?.(request, body);
			outgoing
				.writeHead(response.status, { 'Content-Type': 'application/json' })
				.end(other ?? body);
		})().catch(() => outgoing.destroy());
	});
	return {
		url: server.origin + pathname,
		count: () => number,
		[Symbol.asyncDispose]: server.close,
	};
}

const forwarded = ({ authorization = '', accept = '', ...others }: IncomingHttpHeaders) => ({
	authorization,
	accept,
	...(others['content-type'] !== undefined && { 'content-type': others['content-type'] }),
});
