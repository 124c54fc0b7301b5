import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';
import type { Failure } from './failedRequest';
import { MAX_BODY_BYTES, UnusableBody, type BodyProblem } from './readBody';

/** Failures before anything reached the service, by the code of Node or OpenSSL. */
const NOT_RECEIVED: Record<string, string> = {
	ECONNREFUSED: 'The service could not be reached: its host refused the connection',
	ENOTFOUND: 'The service could not be reached: its host name is unknown',
	EAI_AGAIN: 'The service could not be reached: its host name could not be looked up',
	ERR_INVALID_URL: 'The Base URL of the credential is not a valid address',
	EPROTO: 'The service could not be reached safely: its address does not answer over https',
	CERT_HAS_EXPIRED: 'The service could not be reached safely: its certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT:
		'The service could not be reached safely: its certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN:
		'The service could not be reached safely: its certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE:
		'The service could not be reached safely: its certificate could not be verified',
	ERR_TLS_CERT_ALTNAME_INVALID:
		'The service could not be reached safely: its certificate belongs to another host',
};

const CLOSED = 'The connection to the service was closed before it answered';
const TOO_LATE = 'The service did not answer in time';

/** Failures in which the request may have reached the service. */
const MAYBE_RECEIVED: Record<string, string> = {
	ECONNRESET: CLOSED,
	EPIPE: CLOSED,
	ECONNABORTED: TOO_LATE,
	ETIMEDOUT: TOO_LATE,
	// A connection that is open can also fail with these codes (Linux).
	EHOSTUNREACH: 'The service could not be reached: there is no route to its host',
	ENETUNREACH: 'The service could not be reached: there is no route to its network',
	ERR_CANCELED: 'The execution was canceled before the service answered',
};

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

/** A server without https answers in a way that TLS cannot read. */
const CHECK_SCHEME =
	'Check the Base URL in the credential: a service on your own machine or network may need http:// in place of https://.';

/** How n8n's message begins when its SSRF protection refused a host (n8n 2.41). */
const BLOCKED = 'The request was blocked because';

/** Why a request got no response. */
interface Cause {
	code?: string;
	/** Whether n8n refused the host before it connected. */
	isBlocked: boolean;
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
	// A redirect to a refused host has a code too.
	const isBlocked = chain.some(({ message }) => asText(message).startsWith(BLOCKED));
	return { code: isBlocked ? undefined : chain.flatMap(getCodes)[0], isBlocked };
}

/**
 * Describes a request that got no response. Only the code of the error is kept, because errors of HTTP
 * clients carry the request with its headers.
 *
 * @param error of n8n's HTTP helper, or the reason of a signal
 */
export function connectionFailure(error: unknown): Failure {
	if (error instanceof UnusableBody) {
		return { ...UNUSABLE_BODY[error.problem], received: 'yes' };
	}
	const { code = '', isBlocked } = getCause(error);
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
	const notReceived = NOT_RECEIVED[code];
	if (notReceived) {
		const advice = code === 'EPROTO' ? CHECK_SCHEME : CHECK_ADDRESS;
		return { message: notReceived, advice, httpCode, received: 'no', retryable };
	}
	// With these codes of llhttp, the response is not HTTP.
	const unreadable = code.startsWith('HPE_') || code === 'ERR_BAD_RESPONSE';
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
