import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { booleanIn } from '../fields/booleans';
import { asList, asText, isRecord } from '../values/json';
import { serviceText } from '../values/serviceText';
import { isFailureWord, isWebPage, readErrorBody, type ErrorBody } from './errorBody';
import type { Failure } from './failedRequest';
import { readBody, UnusableBody, type Stream } from './readBody';
import { retryAfterMs } from './retryAfter';

/** A response as it came. The body is parsed JSON, or text when it is no JSON. */
export interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** Whether the request was a read. All reads of the contract are lists. */
	isRead?: boolean;
}

/** The body of a successful response, or the failure. */
export type ParsedResponse = { body: IDataObject } | { failure: Failure };

/**
 * Parses a response of the service.
 *
 * @param secret the API token of the request, which no text of a failure shows
 */
export type ParseResponse = (response: Response, secret: string) => ParsedResponse;

const FIX_REPORTED_PROBLEM = 'Fix the problem that the service reports, then try again.';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: it must be the address of the API and end in /api.';

/** The statuses with which a web server says that an address is not one of its API. */
const NOT_THERE = [400, 404, 405, 410];

/** The API has no web pages, but what is in front of it has some. */
const REFUSED_BEFORE =
	'A firewall or gateway before the service may have refused the request. Try again later, and ask your provider if it fails again. If no request succeeds, check the Base URL in the credential.';

/** What to do next, by status (contract: Authentication, Errors; the rest is assumed). */
const ADVICE: Record<number, string> = {
	400: FIX_REPORTED_PROBLEM,
	401: 'Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
	402: 'Top up the account at your provider, then try again.',
	403: 'Check the ID, if there is one: it may belong to another account. If it is right, check the API Token in the credential, or ask the owner of the account for the permission.',
	404: 'Check the ID. It does not exist in the account that the API token belongs to.',
	413: 'Shorten the values, then try again.',
	422: FIX_REPORTED_PROBLEM,
	425: 'Try again in a moment.',
	429: 'Try again later, or send fewer requests at once.',
};

/**
 * Something between n8n and the service gave up waiting: 408 of a balancer, 444 and 499 of nginx, 460 of AWS.
 * The service may have carried out the request.
 */
const GAVE_UP_WAITING = [408, 444, 460, 499];

/** Whether a status says for sure that the request was not carried out. */
const isRefusal = (statusCode: number): boolean =>
	statusCode < 500 && !GAVE_UP_WAITING.includes(statusCode);

/** The refusals after which the same request may succeed: too early (RFC 8470), and too many requests. */
const REFUSED_FOR_NOW = [425, 429];

/** The statuses with which `Retry-After` names a pause (RFC 9110, RFC 6585). */
const PAUSES = [429, 503];

function getMessage({ statusCode, body }: Response, words?: string): string {
	const withWords = (text: string) => (words ? `${text}: ${words}` : text);
	if (statusCode === 401) return withWords('The service did not accept the API token');
	if (statusCode === 429) return withWords('The service is receiving too many requests');
	if (GAVE_UP_WAITING.includes(statusCode)) {
		return withWords(`The service did not answer in time (status ${statusCode})`);
	}
	if (words) return words;
	if (statusCode === 413) return 'The service refused the request because it is too large';
	if (isWebPage(body)) {
		return `The service answered with a web page instead of data (status ${statusCode})`;
	}
	if (statusCode >= 500) return `The service could not process the request (status ${statusCode})`;
	return `The service refused the request (status ${statusCode})`;
}

function getAdvice(
	{ statusCode, body }: Response,
	{ message, errors, omitted }: ErrorBody,
): string | undefined {
	if (!isRefusal(statusCode)) return undefined;
	if (statusCode === 401 || statusCode === 413 || statusCode === 429) return ADVICE[statusCode];
	if (errors) {
		const more = omitted > 0 ? ` The service reports ${omitted.toLocaleString('en')} more.` : '';
		return `Correct the fields named above, then try again.${more}`;
	}
	if (statusCode === 404 && message === undefined) return CHECK_BASE_URL;
	if (isWebPage(body)) return NOT_THERE.includes(statusCode) ? CHECK_BASE_URL : REFUSED_BEFORE;
	const otherwise =
		message === undefined ? 'Change the request and try again.' : FIX_REPORTED_PROBLEM;
	return ADVICE[statusCode] ?? otherwise;
}

/** A redirected write may have succeeded: some services redirect after a successful write. */
function redirectFailure({ statusCode, headers }: Response, secret: string): Failure {
	const location = typeof headers.location === 'string' ? headers.location : '';
	const common = { httpCode: String(statusCode), received: 'yes' } as const;
	if (location === '') {
		return {
			...common,
			message: `The service answered without data (status ${statusCode})`,
			advice: CHECK_BASE_URL,
		};
	}
	const target = URL.canParse(location) ? ` (${serviceText(new URL(location).host, secret)})` : '';
	return {
		...common,
		message: `The service redirected the request to another address${target}`,
		advice:
			'The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.',
	};
}

/** With these, a service may say that it is done, and no more (RFC 9110). */
const WITHOUT_CONTENT = [202, 204];

const isEmptyBody = (body: unknown): boolean => body === undefined || body === null || body === '';

function unreadableFailure({ statusCode, body }: Response): Failure {
	const isEmpty = isEmptyBody(body);
	return {
		message: isEmpty
			? `The service answered without content (status ${statusCode})`
			: `The service answered with a web page or text instead of data (status ${statusCode})`,
		advice: isEmpty ? undefined : CHECK_BASE_URL,
		httpCode: String(statusCode),
		received: 'yes',
	};
}

/** What says in place of an error that there is none. */
const NO_ERROR = new Set<unknown>([false, 0, '0', 'false', 'none', 'null']);

const isNothing = (value: unknown): boolean =>
	isEmptyBody(value) ||
	NO_ERROR.has(value) ||
	(typeof value === 'object' && Object.keys(value as object).length === 0);

/** False in a field that says how a request went, also as a word: 0 can be a number of something. */
const isNo = (value: unknown): boolean =>
	value !== 0 && value !== '0' && booleanIn(value) === false;

/** The words of a status that says so; `off` can be the status of a record. */
const NO = new Set<unknown>([false, 'false', 'no']);

/** The fields that only a failure has: `error`, `errors`, `error_code`, `hasError`. */
const ERROR_FIELD = /^(?:has_?)?err(?:or)?s?(?:_?(?:code|message|msg|no))?$/i;

const isError = ([name, value]: [string, unknown]): boolean =>
	ERROR_FIELD.test(name) && !isNothing(value);

/** The status of HTTP that a body names for a request that failed. */
function statusIn({ code, status_code, statusCode, status }: IDataObject): number | undefined {
	const numbers = [code, status_code, statusCode, status].map((value) => Number(asText(value)));
	return numbers.find((number) => number >= 400 && number <= 599);
}

/** Whether a success says in its body that it is none. A record can have an error of its own. */
function saysNo(body: IDataObject): boolean {
	const { success, ok, isSuccess, is_success, data, status, result, type } = body;
	if (isNo(success) || isNo(ok)) return true;
	if ('id' in body || booleanIn(success) === true) return false;
	const isFailed =
		isNo(isSuccess ?? is_success) ||
		[status, result, type].some((value) => isFailureWord(value) || NO.has(value));
	if (!isNothing(data)) return isFailed && isRecord(data) && !('id' in data);
	// These can be a number of something, and the status of a record.
	const saysWhy = readErrorBody(body, '').message !== undefined;
	const isZero = [success, status].some((value) => value === 0 || value === '0');
	const isNamed = isFailed || isZero || statusIn(body) !== undefined;
	return (saysWhy && isNamed) || Object.entries(body).some(isError) || status === 'error';
}

/** The fields that can be beside an error. */
const OUTCOME_FIELD = /^(?:success|ok|status|code|message|msg)$/i;

/** The body of a response. A refusal can be in a list of one, and so can a record, which has other fields. */
function soleRefusal(body: unknown): unknown {
	const [entry, next] = asList(body) ?? [];
	if (!isRecord(entry) || next !== undefined) return body;
	const fields = Object.entries(entry);
	const isRefusal = fields.every((field) => isError(field) || OUTCOME_FIELD.test(field[0]));
	return isRefusal && fields.some(isError) ? entry : body;
}

/** How services say that a list is empty. */
const NONE_FOUND =
	/^(?:there (?:are|were) )?no (?:more |matching )?(?:assistants|calls|campaigns|data|entries|items|records|results)(?: (?:were |was )?(?:available|found))?[.!]?$/i;

/** Whether the answer to a read says no only because its list is empty. */
const saysNone = ({ isRead = false }: Response, { data, message, ...body }: IDataObject): boolean =>
	isRead &&
	Array.isArray(data) &&
	data.length === 0 &&
	statusIn(body) === undefined &&
	NONE_FOUND.test(asText(message));

/**
 * The failure of a response, or undefined: its status is 300 or more, its body cannot be used, or it has
 * `success: false` (contract: update-status), or an error in place of data.
 *
 * @param secret the API token of the request, which no text of a failure shows
 * @param isUsable whether the body of a success can be used
 */
export function getFailure(
	response: Response,
	secret: string,
	isUsable: boolean,
): Failure | undefined {
	const { statusCode, headers } = response;
	const body = soleRefusal(response.body);
	if (statusCode >= 300 && statusCode < 400) return redirectFailure(response, secret);
	if (statusCode < 300) {
		if (!isUsable) return unreadableFailure(response);
		if (!isRecord(body) || !saysNo(body) || saysNone(response, body)) return undefined;
		const named = statusIn(body);
		if (named !== undefined) return getFailure({ ...response, statusCode: named }, secret, true);
	}
	const errorBody = readErrorBody(body, secret);
	const refused = isRefusal(statusCode);
	return {
		message: getMessage(response, errorBody.message),
		advice: getAdvice(response, errorBody),
		httpCode: String(statusCode),
		errors: errorBody.errors,
		omittedErrors: errorBody.omitted,
		received: 'yes',
		refused,
		retryable: !refused || REFUSED_FOR_NOW.includes(statusCode),
		retryAfterMs: PAUSES.includes(statusCode) ? retryAfterMs(headers, body, Date.now()) : undefined,
		isJson: isRecord(body),
	};
}

/**
 * The object in the body of a success. A list stands for `data`, and a success without content for
 * `success: true`.
 */
function toObject({ statusCode, body }: Response): IDataObject | undefined {
	if (isRecord(body)) return body;
	if (Array.isArray(body)) return { data: body };
	return WITHOUT_CONTENT.includes(statusCode) && isEmptyBody(body) ? { success: true } : undefined;
}

/** Parses a response whose body must be JSON, as that of every documented operation is. */
export const parseResponse: ParseResponse = (response, secret) => {
	const body = toObject(response);
	const failure = getFailure(response, secret, body !== undefined);
	return body && !failure ? { body } : { failure: failure ?? unreadableFailure(response) };
};

/**
 * Reads and parses a response that has begun.
 *
 * @param response of n8n's HTTP helper, whose body is a stream, and whether the request was a read
 * @param signal ends the reading
 * @param secret the API token of the request, which no text of a failure shows
 * @param parse makes the result
 * @throws {UnusableBody} when the body of a success cannot be used
 */
export async function receiveResponse(
	{ statusCode, headers, body: stream, isRead }: IN8nHttpFullResponse & Pick<Response, 'isRead'>,
	signal: AbortSignal,
	secret: string,
	parse: ParseResponse = parseResponse,
): Promise<ParsedResponse> {
	const body = await readBody(stream as Stream, signal).catch((error: unknown) => {
		// A refusal is one whatever its body is.
		if (error instanceof UnusableBody && statusCode >= 300) return '';
		throw error;
	});
	return parse({ statusCode, headers, body, isRead }, secret);
}
