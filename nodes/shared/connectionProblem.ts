import { isRecord } from './json';
import { MAY_HAVE_BEEN_DONE, ServiceProblem } from './serviceProblem';

const CHECK_ADDRESS =
	'Check the Base URL in the credential, and that this n8n may reach that host.';

/** Failures in which no connection came about, so that the request certainly was not received. */
const NEVER_SENT: Record<string, string> = {
	ECONNREFUSED: 'The service could not be reached: its host refused the connection',
	ENOTFOUND: 'The service could not be reached: no host of that name is known',
	EAI_AGAIN: 'The service could not be reached: its host name could not be looked up',
	ERR_INVALID_URL: 'The Base URL of the credential is not a valid address',
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

/** Failures after the request had left. */
const CUT_OFF: Record<string, string> = {
	ECONNRESET: 'The connection to the service was closed before it answered',
	EPIPE: 'The connection to the service was closed before it answered',
	// What `fetch` calls it (Node).
	UND_ERR_SOCKET: 'The connection to the service was closed before it answered',
	ECONNABORTED: 'The service did not answer in time',
	ETIMEDOUT: 'The service did not answer in time',
	// An open connection that breaks down ends with these too (Linux).
	EHOSTUNREACH: 'The service could not be reached: there is no way to its host',
	ENETUNREACH: 'The service could not be reached: there is no way to its network',
	ERR_CANCELED: 'The execution was canceled before the service answered',
};

const PLACES_OF_A_CODE = ['code', 'httpCode', 'errno'];

/** The system's code of a failed connection, wherever n8n 2.0 or 2.41 left it in the error. */
function codeOf(error: unknown): string | undefined {
	for (let place = error, depth = 0; isRecord(place) && depth < 5; place = place.cause, depth++) {
		// What `fetch` throws when its time is over; its code is a number.
		if (place.name === 'TimeoutError') return 'ETIMEDOUT';
		for (const key of PLACES_OF_A_CODE) {
			const code = place[key];
			if (typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code)) return code;
		}
	}
	return undefined;
}

/**
 * Puts a failed connection into words. Nothing of the error is kept but its code, because errors of
 * HTTP clients carry the request with its headers.
 *
 * @param error what the HTTP helper of n8n, or `fetch`, threw
 * @param isRead whether the request only read (GET): then it may be repeated
 */
export function connectionProblem(error: unknown, isRead: boolean): ServiceProblem {
	const code = codeOf(error);
	const neverSent = code === undefined ? undefined : NEVER_SENT[code];
	const cutOff = CUT_OFF[code ?? 'ECONNRESET'];
	return new ServiceProblem({
		message: neverSent ?? cutOff ?? `The request failed before the service answered (${code})`,
		description: neverSent
			? CHECK_ADDRESS
			: isRead
				? 'Run the step again later.'
				: MAY_HAVE_BEEN_DONE,
		httpCode: code,
		uncertain: !isRead && neverSent === undefined,
		passing: true,
	});
}
