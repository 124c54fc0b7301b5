import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';
import type { Failure } from './failedRequest';
import { MAX_BODY_BYTES, UnusableBody, type BodyProblem } from './readBody';

const REACH = 'could not be reached: ';
const SAFELY = 'could not be reached safely: ';
const NOT_TRUSTED = `${SAFELY}its certificate is not trusted by this n8n`;
const SELF_SIGNED = `${SAFELY}its certificate is self-signed`;

/**
 * Failed checks of a certificate, which end the handshake (nodejs.org/api/tls.html, X509 certificate error
 * codes; UNSPECIFIED is every other one, nodejs/node src/crypto/crypto_common.cc). n8n sends the request
 * after the handshake.
 */
const CERTIFICATE: Record<string, string> = {
	...Object.fromEntries(
		[
			...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_CRL', 'UNABLE_TO_DECRYPT_CERT_SIGNATURE'],
			...['UNABLE_TO_DECRYPT_CRL_SIGNATURE', 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY'],
			...['CERT_SIGNATURE_FAILURE', 'CRL_SIGNATURE_FAILURE', 'CRL_NOT_YET_VALID'],
			...['CRL_HAS_EXPIRED', 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 'ERROR_IN_CERT_NOT_AFTER_FIELD'],
			...['ERROR_IN_CRL_LAST_UPDATE_FIELD', 'ERROR_IN_CRL_NEXT_UPDATE_FIELD', 'OUT_OF_MEM'],
			...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
			...['CERT_CHAIN_TOO_LONG', 'CERT_REVOKED', 'INVALID_CA', 'PATH_LENGTH_EXCEEDED'],
			...['INVALID_PURPOSE', 'CERT_UNTRUSTED', 'CERT_REJECTED', 'UNSPECIFIED'],
		].map((code) => [code, NOT_TRUSTED]),
	),
	DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
	SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
	CERT_HAS_EXPIRED: `${SAFELY}its certificate has expired`,
	CERT_NOT_YET_VALID: `${SAFELY}its certificate is not valid yet`,
	HOSTNAME_MISMATCH: `${SAFELY}its certificate belongs to another host`,
	ERR_TLS_CERT_ALTNAME_INVALID: `${SAFELY}its certificate belongs to another host`,
};

const ASKS_FOR_CERTIFICATE = `${SAFELY}it asks for a certificate of n8n, which n8n does not have`;

/** Failures before anything reached the service, or the proxy before it, by the code of Node. */
const NOT_RECEIVED: Record<string, string> = {
	...CERTIFICATE,
	ECONNREFUSED: `${REACH}its host refused the connection`,
	ENOTFOUND: `${REACH}its host name is unknown`,
	EAI_AGAIN: `${REACH}its host name could not be looked up`,
	EPROTO: `${SAFELY}its address does not answer over https`,
	// The server refuses the handshake, of which n8n's side is over (RFC 8446, 6.2).
	ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: ASKS_FOR_CERTIFICATE,
};

const NO_HOST = `${REACH}there is no route to its host`;
const NO_NETWORK = `${REACH}there is no route to its network`;

const CLOSED = 'The connection to the service was closed before it answered';
const TOO_LATE = 'The service did not answer in time';

/** Failures in which the request may have reached the service. */
const MAYBE_RECEIVED: Record<string, string> = {
	ECONNRESET: CLOSED,
	EPIPE: CLOSED,
	ECONNABORTED: TOO_LATE,
	ETIMEDOUT: TOO_LATE,
	// A connection that is open can also fail with these codes (Linux).
	EHOSTUNREACH: `The service ${NO_HOST}`,
	ENETUNREACH: `The service ${NO_NETWORK}`,
	ERR_CANCELED: 'The execution was canceled before the service answered',
};

/** What is told in their place when nothing was sent. */
const WHILE_OPENING: Record<string, string> = {
	EHOSTUNREACH: NO_HOST,
	ENETUNREACH: NO_NETWORK,
	ECONNABORTED: `${REACH}it did not answer in time`,
	ETIMEDOUT: `${REACH}it did not answer in time`,
	ERR_CANCELED: `${REACH}the execution was canceled before`,
};
const NOT_OPENED = `${REACH}the connection was closed while it was opened`;
const NO_TLS = `${SAFELY}the connection was refused while it was opened`;
const UNREADABLE = `${REACH}its answer cannot be read`;

/**
 * How texts begin of failures in which no connection was made: of Node's system errors
 * (nodejs.org/api/errors.html), of its TLS (nodejs/node lib/_tls_wrap.js), and of the agent with which n8n
 * uses a proxy (https-proxy-agent 7, parse-proxy-response.ts). n8n 2.0 keeps nothing else of an error.
 */
const WHILE_OPENING_TEXT =
	/^(?:(?:connect|getaddrinfo) E[A-Z_]+\b|Client network socket disconnected before secure TLS|Proxy connection ended before receiving CONNECT)/;

/**
 * What time can mend. A read is repeated only after these: with all others, it would fail again, and
 * some are expensive, such as a response that is too large.
 */
const PASSING = new Set([
	'ECONNREFUSED',
	// While a container restarts, its name is unknown.
	'ENOTFOUND',
	'EAI_AGAIN',
	'ECONNRESET',
	'EPIPE',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

const CHECK_ADDRESS =
	'Check the Base URL in the credential, and whether this n8n can reach that host.';

const PROXY_SETTINGS =
	"the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY of n8n's server, and 'Settings → Request Options → Proxy'";

const CHECK_PROXY = `The proxy is set by ${PROXY_SETTINGS}. Check it, and whether it lets n8n reach the host of the Base URL.`;

/** For an error that does not tell whether a proxy is used. */
const CHECK_BOTH = `${CHECK_ADDRESS} If n8n uses a proxy (HTTPS_PROXY, HTTP_PROXY), check that, too.`;

/** A server without https answers in a way that TLS cannot read. */
const CHECK_SCHEME =
	'Check the Base URL in the credential: a service on your own machine or network may need http:// in place of https://.';

const CHECK_CLOCK = "Check the clock of n8n's server. If it is right, ask your provider.";

const GIVE_CERTIFICATE =
	"If a proxy of your company or your own server has made the certificate, set NODE_EXTRA_CA_CERTS on n8n's server to the file of its issuer, and restart n8n. Otherwise ask your provider.";

/** What to do next, by code. */
const ADVICE: Record<string, string> = {
	...Object.fromEntries(Object.keys(CERTIFICATE).map((code) => [code, GIVE_CERTIFICATE])),
	CERT_HAS_EXPIRED: CHECK_CLOCK,
	CERT_NOT_YET_VALID: CHECK_CLOCK,
	HOSTNAME_MISMATCH: CHECK_ADDRESS,
	ERR_TLS_CERT_ALTNAME_INVALID: CHECK_ADDRESS,
	EPROTO: CHECK_SCHEME,
};

/** How n8n's message begins when its SSRF protection refused a host (n8n 2.41). */
const BLOCKED = 'The request was blocked because';

/** A request of Node (`http.ClientRequest`), as far as its connection tells what was sent. */
interface ConnectedRequest {
	protocol?: unknown;
	socket?: unknown;
}

/** Why a request got no response. */
interface Cause {
	code?: string;
	/** Whether n8n refused the host before it connected. */
	isBlocked: boolean;
	/** The texts of the errors. */
	texts: string[];
	/** Undefined where n8n does not keep it (n8n 2.0). */
	request?: ConnectedRequest;
}

const ASK_PROVIDER = 'Ask your provider about it.';

/** What happened to a body that cannot be used. The service received the request. */
const UNUSABLE_BODY: Record<BodyProblem, Pick<Failure, 'message' | 'advice' | 'retryable'>> = {
	'cut off': { message: 'The connection was closed in the middle of the answer', retryable: true },
	garbled: { message: 'The service sent an answer that cannot be unpacked', advice: ASK_PROVIDER },
	'too deep': {
		message: 'The service sent an answer that is nested too deep',
		advice: ASK_PROVIDER,
	},
	'too large': {
		message: `The service sent more than ${MAX_BODY_BYTES / 1_000_000} MB`,
		advice: ASK_PROVIDER,
	},
};

const CODE = /^[A-Z][A-Z0-9_]+$/;

/** The codes of one error in a chain of causes. The codes of the reasons of signals are numbers. */
function getCodes({ name, code, httpCode, errno }: IDataObject): string[] {
	if (name === 'TimeoutError') return ['ETIMEDOUT'];
	if (name === 'AbortError') return ['ERR_CANCELED'];
	return [code, httpCode, errno].filter(
		(value): value is string => typeof value === 'string' && CODE.test(value),
	);
}

/** Finds the code of a failure. n8n 2.0 and 2.41 keep it at different depths of the error. */
export function getCause(error: unknown): Cause {
	const chain: IDataObject[] = [];
	for (let cause = error; isRecord(cause) && chain.length < 5; cause = cause.cause) {
		chain.push(cause);
	}
	const texts = chain.flatMap(({ message, messages }) => [message, messages].flat().map(asText));
	// A redirect to a refused host has a code too.
	const isBlocked = texts.some((text) => text.startsWith(BLOCKED));
	return {
		code: isBlocked ? undefined : chain.flatMap(getCodes)[0],
		isBlocked,
		texts,
		request: chain.map(({ request }) => request).find(isRecord),
	};
}

/**
 * Whether the connection of a request is one to a proxy: its agent found none for the request, or a request
 * for https is on one without TLS, as the answer of a proxy to `CONNECT` is (https-proxy-agent 7, index.ts).
 */
function isAtProxy({ protocol, socket }: ConnectedRequest): boolean {
	return socket === null || (protocol === 'https:' && isRecord(socket) && !socket.encrypted);
}

/**
 * Whether no byte of a request has left. Node sends it after the handshake, which sets one of two properties of
 * its connection (nodejs.org/api/tls.html, `authorized`), and ends the connection at a certificate that it
 * refuses.
 */
function isUnsent({ code, texts, request = {} }: Cause): boolean {
	if (texts.some((text) => WHILE_OPENING_TEXT.test(text)) || isAtProxy(request)) return true;
	const { protocol, socket } = request;
	if (protocol !== 'https:' || !isRecord(socket)) return false;
	const { authorized, authorizationError } = socket;
	return authorized !== true && (!authorizationError || authorizationError === code);
}

/** The failure of a connection that a proxy did not open. @param status of its answer, if it gave one */
export const proxyFailure = (status: number): Failure => ({
	message: `The proxy refused the connection to the service (status ${status})`,
	advice: status === 407 ? `The proxy wants a user and a password. ${CHECK_PROXY}` : CHECK_PROXY,
	// Node's own code (nodejs.org/api/errors.html). The status would be one of the service.
	httpCode: 'ERR_PROXY_TUNNEL',
	received: 'no',
	retryable: status >= 500,
});

/** The statuses with which proxies refuse (RFC 9110, 9.3.6 and 15). n8n sends a request again after a 401. */
export const PROXY_STATUSES = [403, 407, 500, 502, 503, 504];

/** An answer, and the connection that it came on, as far as n8n tells it. */
type Answer = IN8nHttpFullResponse & { request?: ConnectedRequest };

/**
 * Gets the answer out of an error that n8n 2.41 throws for a status.
 *
 * @throws the error, when there is no answer in it
 */
export function answerIn(error: unknown): Answer {
	const { cause }: IDataObject = isRecord(error) ? error : {};
	if (!isRecord(cause) || !isRecord(cause.response)) throw error;
	const { status, headers, data } = cause.response;
	return {
		statusCode: Number(status),
		headers: headers as IDataObject,
		body: data as IN8nHttpFullResponse['body'],
		request: isRecord(cause.request) ? cause.request : undefined,
	};
}

/**
 * Whether an answer is one of a proxy to `CONNECT`. n8n 2.0 gives the answer of Node, with its connection.
 *
 * @param url of the request, or what it begins with
 */
export function isOfProxy(url: string, { request, body }: Answer): boolean {
	const protocol = url.split('//')[0]?.toLowerCase();
	const { socket } = request ?? (body as ConnectedRequest);
	return isRecord(socket) && isAtProxy({ protocol, socket });
}

/**
 * Describes a request that got no response. Only the code of the error is kept, because errors of HTTP
 * clients carry the request with its headers.
 *
 * @param error of n8n's HTTP helper
 * @param reason of the signal that ended the request, if one did
 */
export function connectionFailure(error: unknown, reason?: unknown): Failure {
	if (error instanceof UnusableBody && reason === undefined) {
		return { ...UNUSABLE_BODY[error.problem], received: 'yes' };
	}
	const cause = getCause(error);
	const { code = '', isBlocked } = reason === undefined ? cause : getCause(reason);
	if (code === 'ERR_INVALID_URL') {
		const message = 'The Base URL of the credential is not a valid address';
		return { message, advice: CHECK_ADDRESS, httpCode: code, received: 'no', retryable: false };
	}
	if (isBlocked) {
		return {
			message: 'This n8n does not allow requests to the host of the Base URL',
			advice:
				'Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
			received: 'no',
		};
	}
	const httpCode = code || undefined;
	const retryable = PASSING.has(code);
	// With these codes of llhttp, the response is not HTTP.
	const unreadable = code.startsWith('HPE_') || code === 'ERR_BAD_RESPONSE';
	const { request } = cause;
	const isUnopened = isUnsent(cause);
	// An open connection can break with this code, too.
	const isBroken = code === 'EPROTO' && request !== undefined && !isUnopened;
	if (isUnopened || (NOT_RECEIVED[code] && !isBroken)) {
		const isProxy = request !== undefined && isAtProxy(request);
		const otherwise = unreadable ? UNREADABLE : code.startsWith('ERR_SSL_') ? NO_TLS : NOT_OPENED;
		const what = NOT_RECEIVED[code] ?? WHILE_OPENING[code] ?? otherwise;
		return {
			message: `The ${isProxy ? 'proxy' : 'service'} ${what}`,
			advice: isProxy ? CHECK_PROXY : (ADVICE[code] ?? (request ? CHECK_ADDRESS : CHECK_BOTH)),
			httpCode,
			received: 'no',
			retryable,
		};
	}
	return {
		message: unreadable
			? 'The service sent an answer that cannot be read'
			: (MAYBE_RECEIVED[code] ?? 'The connection failed before the service answered'),
		advice: unreadable ? CHECK_ADDRESS : undefined,
		httpCode,
		received: 'maybe',
		retryable,
	};
}
