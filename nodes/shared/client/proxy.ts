import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { isRecord } from '../values/json';
import type { Failure } from './failedRequest';

/** A request of Node (`http.ClientRequest`), as far as its connection tells what was sent. */
export interface ConnectedRequest {
	protocol?: unknown;
	socket?: unknown;
}

export const CHECK_PROXY =
	"The proxy is set by the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY of n8n's server, and 'Settings → Request Options → Proxy'. Check it, and whether it lets n8n reach the host of the Base URL.";

/**
 * Whether the connection of a request is one to a proxy: its agent found none for the request, or a request
 * for https is on one without TLS, as the answer of a proxy to `CONNECT` is (https-proxy-agent 7, index.ts).
 */
export const isAtProxy = ({ protocol, socket }: ConnectedRequest): boolean =>
	socket === null || (protocol === 'https:' && isRecord(socket) && !socket.encrypted);

/** The statuses with which proxies refuse (RFC 9110, 9.3.6 and 15). n8n sends a request again after a 401. */
export const PROXY_STATUSES = [403, 407, 500, 502, 503, 504];

/** The failure of a connection that a proxy did not open. */
export const proxyFailure = (status: number): Failure => ({
	message: `The proxy refused the connection to the service (status ${status})`,
	advice: status === 407 ? `The proxy wants a user and a password. ${CHECK_PROXY}` : CHECK_PROXY,
	// Node's own code (nodejs.org/api/errors.html). The status would be one of the service.
	httpCode: 'ERR_PROXY_TUNNEL',
	received: 'no',
	retryable: status >= 500,
});

/** An answer, and the connection that it came on, as far as n8n tells it. */
type ProxiedAnswer = IN8nHttpFullResponse & { request?: ConnectedRequest };

/**
 * Gets the answer out of an error that n8n 2.41 throws for a status.
 *
 * @throws the error, when there is no answer in it
 */
export function answerIn(error: unknown): ProxiedAnswer {
	const { cause }: IDataObject = isRecord(error) ? error : {};
	if (!isRecord(cause) || !isRecord(cause.response)) throw error;
	const { status, headers, data } = cause.response;
	return {
		statusCode: Number(status),
		headers: headers as IDataObject,
		body: data,
		request: isRecord(cause.request) ? cause.request : undefined,
	};
}

/**
 * Whether an answer is one of a proxy to `CONNECT`. n8n 2.0 gives the answer of Node, with its connection.
 *
 * @param url of the request, or what it begins with
 */
export function isOfProxy(url: string, { request, body }: ProxiedAnswer): boolean {
	const { socket } = request ?? (body as ConnectedRequest);
	return /^https:/i.test(url) && isRecord(socket) && !socket.encrypted;
}
