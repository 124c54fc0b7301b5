import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';
import { serviceText } from '../values/serviceText';
import { isWebPage, readErrorBody, type ErrorBody } from './errorBody';
import type { Failure } from './failedRequest';
import { readBody, UnusableBody, type Stream } from './readBody';
import { retryAfterMs } from './pauseAfterRefusal';

/** A response as it came. The body is parsed JSON, or text when it is no JSON. */
export interface ReceivedResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** Whether the body is JSON of any kind. If not, it is a text, which is empty when there is none. */
	isJson: boolean;
	/** Whether the request was a read. */
	isRead?: boolean;
}

/** The body of a successful response, or the failure. */
export type ParsedResponse = { body: IDataObject } | { failure: Failure };

/**
 * Parses a response of the service.
 *
 * @param secret the API token of the request, which no body and no text of a failure shows
 */
export type ParseResponse = (response: ReceivedResponse, secret: string) => ParsedResponse;

/** Of a body that a failure shows, in characters. */
const MAX_BEGINNING = 200;

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

function getMessage(
	{ statusCode, body }: ReceivedResponse,
	{ message, beginning }: ErrorBody,
): string {
	const words = message ?? beginning;
	const withWords = (text: string) => (words ? `${text}: ${words}` : text);
	if (statusCode === 401) return withWords('The service did not accept the API token');
	if (statusCode === 429) return withWords('The service is receiving too many requests');
	if (GAVE_UP_WAITING.includes(statusCode)) {
		return withWords(`The service did not answer in time (status ${statusCode})`);
	}
	if (message) return message;
	if (statusCode === 413) {
		return withWords('The service refused the request because it is too large');
	}
	if (isWebPage(body)) {
		return `The service answered with a web page instead of data (status ${statusCode})`;
	}
	const what = statusCode >= 500 ? 'could not process' : 'refused';
	return withWords(`The service ${what} the request (status ${statusCode})`);
}

function getAdvice(
	{ statusCode, body }: ReceivedResponse,
	{ message, errors, omitted }: ErrorBody,
): string | undefined {
	if (!isRefusal(statusCode)) return undefined;
	if (statusCode === 401 || statusCode === 413 || statusCode === 429) return ADVICE[statusCode];
	if (errors) {
		const more = omitted > 0 ? ` The service reports ${omitted.toLocaleString('en')} more.` : '';
		return Object.keys(errors).length > 1
			? `Correct these fields, then try again.${more}`
			: `Correct this field, then try again.${more}`;
	}
	if (statusCode === 404 && message === undefined) return CHECK_BASE_URL;
	if (isWebPage(body)) return NOT_THERE.includes(statusCode) ? CHECK_BASE_URL : REFUSED_BEFORE;
	const otherwise =
		message === undefined ? 'Change the request and try again.' : FIX_REPORTED_PROBLEM;
	return ADVICE[statusCode] ?? otherwise;
}

/** A redirected write may have succeeded. */
function redirectFailure({ statusCode, headers }: ReceivedResponse, secret: string): Failure {
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

const isEmptyBody = ({ body, isJson }: ReceivedResponse): boolean =>
	!isJson && asText(body).trim() === '';

/** Whether a body is neither empty nor JSON. */
export const isText = (response: ReceivedResponse): boolean =>
	!response.isJson && !isEmptyBody(response);

/** How a body begins, for a failure that it alone can explain. */
const beginningOf = ({ body, isJson }: ReceivedResponse, secret: string): string =>
	serviceText(isJson ? JSON.stringify(body) : asText(body), secret, MAX_BEGINNING);

const INSTEAD_OF_DATA = 'with a web page or text instead of data';

/** The failure of a success whose body is not what the operation gives. A write may have been carried out. */
export function unusableFailure(
	response: ReceivedResponse,
	secret: string,
	what = INSTEAD_OF_DATA,
): Failure {
	const { statusCode, isRead = false } = response;
	const beginning = isEmptyBody(response) ? '' : beginningOf(response, secret);
	const begins = isRead || beginning === '' ? '' : `The answer begins: ${beginning}`;
	const advice = isRead && !isEmptyBody(response) ? CHECK_BASE_URL : begins;
	return {
		message: `The service answered ${what} (status ${statusCode})`,
		advice: advice || undefined,
		httpCode: String(statusCode),
		received: 'yes',
	};
}

/**
 * The failure of a response that says by its status that it is one: 300 or more.
 *
 * @param secret the API token of the request, which no body and no text of a failure shows
 * @returns undefined for a success, whatever its body says
 */
export function getFailure(response: ReceivedResponse, secret: string): Failure | undefined {
	const { statusCode, headers, body } = response;
	if (statusCode < 300) return undefined;
	if (statusCode < 400) return redirectFailure(response, secret);
	const errorBody = readErrorBody(body, secret);
	const refused = isRefusal(statusCode);
	return {
		message: getMessage(response, errorBody),
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

/** A body whose message does not show the API token. */
const withSafeMessage = (body: IDataObject, secret: string): IDataObject =>
	typeof body.message === 'string' ? { ...body, message: serviceText(body.message, secret) } : body;

/**
 * Parses a response whose body must be JSON, as that of every documented operation is. The body of a write
 * may be empty. What is no JSON object stands for `data`.
 */
export const parseResponse: ParseResponse = (response, secret) => {
	const failure = getFailure(response, secret);
	if (failure) return { failure };
	const { body, isJson, isRead = false } = response;
	// Of a list, only a failure shows the message.
	if (isRecord(body)) return { body: isRead ? withSafeMessage(body, secret) : body };
	if (isJson) return { body: { data: body as IDataObject[string] } };
	if (isText(response)) return { failure: unusableFailure(response, secret) };
	if (isRead) return { failure: unusableFailure(response, secret, 'without content') };
	return { body: { success: true } };
};

/**
 * Parses the response to a change that is looked up where it is not certain. Every documented one is JSON, and a
 * gateway can answer an empty 200 by itself.
 */
export const parseConfirmed: ParseResponse = (response, secret) => {
	const parsed = parseResponse(response, secret);
	if ('failure' in parsed || response.isJson) return parsed;
	return { failure: unusableFailure(response, secret, 'without content') };
};

/**
 * Parses the response to a create: its record is in `data` (contract: Endpoints). Without one, nobody knows
 * whether it was created, whatever the message says.
 */
export const parseCreated: ParseResponse = (response, secret) => {
	const parsed = parseResponse(response, secret);
	if ('failure' in parsed) return parsed;
	const { data, message } = parsed.body;
	if (isRecord(data) && Object.keys(data).length > 0) return parsed;
	const words = serviceText(asText(message), secret);
	const failure = unusableFailure(
		response,
		secret,
		'without the record that it should have created',
	);
	return {
		failure: words === '' ? failure : { ...failure, message: `${failure.message}: ${words}` },
	};
};

/**
 * Reads and parses a response that has begun.
 *
 * @param response of n8n's HTTP helper, whose body is a stream, and whether the request was a read
 * @param signal ends the reading
 * @param secret the API token of the request, which no body and no text of a failure shows
 * @param parse makes the result
 * @throws {UnusableBody} when the body of a success cannot be used
 */
export async function receiveResponse(
	{
		statusCode,
		headers,
		body: stream,
		isRead,
	}: IN8nHttpFullResponse & Pick<ReceivedResponse, 'isRead'>,
	signal: AbortSignal,
	secret: string,
	parse: ParseResponse = parseResponse,
): Promise<ParsedResponse> {
	const read = await readBody(stream as Stream, signal, secret).catch((error: unknown) => {
		// A refusal is one whatever its body is.
		if (error instanceof UnusableBody && statusCode >= 300) return { body: '', isJson: false };
		throw error;
	});
	return parse({ statusCode, headers, ...read, isRead }, secret);
}
