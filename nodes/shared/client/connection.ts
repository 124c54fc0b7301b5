import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';
import type { Failure } from './failedRequest';
import { CHECK_PROXY, isAtProxy, type ConnectedRequest } from './proxy';
import { MAX_BODY_BYTES, UnusableBody, type BodyProblem } from './readBody';

const REACH = 'could not be reached: ';
const SAFELY = 'could not be reached safely: ';

const CHECK_ADDRESS =
	'Check the Base URL in the credential, and whether this n8n can reach that host.';

const CHECK_CLOCK = "Check the clock of n8n's server. If it is right, ask your provider.";

const GIVE_CERTIFICATE =
	"If a proxy of your company or your own server has made the certificate, set NODE_EXTRA_CA_CERTS on n8n's server to the file of its issuer, and restart n8n. Otherwise ask your provider.";

/** A server without https answers in a way that TLS cannot read. */
const CHECK_SCHEME =
	'Check the Base URL in the credential: a service on your own machine or network may need http:// in place of https://.';

/** A code of Node, what is told of it, and the advice where it is not to check the address. */
type Reason = [code: RegExp, what: string, advice?: string];

/**
 * Failures before a byte of the request has left. n8n sends it after the handshake, which a certificate that
 * fails a check ends (nodejs.org/api/tls.html, X509 certificate error codes; UNSPECIFIED is every other one,
 * nodejs/node src/crypto/crypto_common.cc).
 */
const NEVER_RECEIVED: Reason[] = [
	[/^ECONNREFUSED$/, `${REACH}its host refused the connection`],
	[/^ENOTFOUND$/, `${REACH}its host name is unknown`],
	[/^EAI_AGAIN$/, `${REACH}its host name could not be looked up`],
	[/^EPROTO$/, `${SAFELY}its address does not answer over https`, CHECK_SCHEME],
	// The server refuses the handshake, of which n8n's side is over (RFC 8446, 6.2).
	[
		/^ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED$/,
		`${SAFELY}it asks for a certificate of n8n, which n8n does not have`,
	],
	[/^CERT_HAS_EXPIRED$/, `${SAFELY}its certificate has expired`, CHECK_CLOCK],
	[/^CERT_NOT_YET_VALID$/, `${SAFELY}its certificate is not valid yet`, CHECK_CLOCK],
	[/^HOSTNAME_MISMATCH$|_ALTNAME_/, `${SAFELY}its certificate belongs to another host`],
	[/SELF_SIGNED_CERT/, `${SAFELY}its certificate is self-signed`, GIVE_CERTIFICATE],
	[
		/^(?!ERR_).*(?:CERT|CRL_|_CRL|_ISSUER|_LEAF)|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|OUT_OF_MEM|UNSPECIFIED)$/,
		`${SAFELY}its certificate is not trusted by this n8n`,
		GIVE_CERTIFICATE,
	],
];

const NO_HOST = `${REACH}there is no route to its host`;
const NO_NETWORK = `${REACH}there is no route to its network`;

/** All other failures of a request of which no byte has left. */
const WHILE_OPENING: Reason[] = [
	[/^EHOSTUNREACH$/, NO_HOST],
	[/^ENETUNREACH$/, NO_NETWORK],
	[/^(?:ECONNABORTED|ETIMEDOUT)$/, `${REACH}it did not answer in time`],
	[/^ERR_CANCELED$/, `${REACH}the execution was canceled before`],
	[/^ERR_SSL_/, `${SAFELY}the connection was refused while it was opened`],
	[/^(?:HPE_|ERR_BAD_RESPONSE)/, `${REACH}its answer cannot be read`],
	[/^/, `${REACH}the connection was closed while it was opened`],
];

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

/** For an error that does not tell whether a proxy is used. */
const CHECK_BOTH = `${CHECK_ADDRESS} If n8n uses a proxy (HTTPS_PROXY, HTTP_PROXY), check that, too.`;

/** How n8n's message begins when its SSRF protection refused a host (n8n.md#errors-of-a-request). */
const BLOCKED = 'The request was blocked because';

/** Why a request got no response. */
interface Cause {
	code?: string;
	/** Whether n8n refused the host before it connected. */
	isBlocked: boolean;
	/** The texts of the errors. */
	texts: string[];
	/** Undefined where n8n does not keep it (n8n.md#errors-of-a-request). */
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
	const common = { httpCode: code || undefined, retryable: PASSING.has(code) };
	const { request } = cause;
	const isUnopened = isUnsent(cause);
	const find = (reasons: Reason[]) => reasons.find(([pattern]) => pattern.test(code));
	// An open connection can break with EPROTO, too.
	const isOpen = code === 'EPROTO' && request !== undefined;
	const opening = isUnopened
		? (find(NEVER_RECEIVED) ?? find(WHILE_OPENING))
		: !isOpen && find(NEVER_RECEIVED);
	if (opening) {
		const [, what, advice = request ? CHECK_ADDRESS : CHECK_BOTH] = opening;
		const isProxy = request !== undefined && isAtProxy(request);
		return {
			...common,
			message: `The ${isProxy ? 'proxy' : 'service'} ${what}`,
			advice: isProxy ? CHECK_PROXY : advice,
			received: 'no',
		};
	}
	// With these codes of llhttp, the response is not HTTP.
	const unreadable = code.startsWith('HPE_') || code === 'ERR_BAD_RESPONSE';
	return {
		...common,
		message: unreadable
			? 'The service sent an answer that cannot be read'
			: (MAYBE_RECEIVED[code] ?? 'The connection failed before the service answered'),
		advice: unreadable ? CHECK_ADDRESS : undefined,
		received: 'maybe',
	};
}
