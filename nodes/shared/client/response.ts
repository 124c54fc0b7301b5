import type { IDataObject } from 'n8n-workflow';

import type { FieldErrors } from './errors';
import type { Failure } from './failure';
import { isRecord } from './json';

/** A response as it came. The body is parsed JSON, or text when it is no JSON. */
export interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** The body of a successful response, or the failure. */
export type ParsedResponse = { body: IDataObject } | { failure: Failure };

/** In characters. A longer text is no sentence for a user, and would flood the screen. */
const MAX_MESSAGE_LENGTH = 500;

const FIX_REPORTED_PROBLEM = 'Fix the problem that the service reports, then try again.';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: it must be the address of the API and end in /api.';

/** What to do next, by status (contract: Authentication, Errors; the rest is assumed). */
const ADVICE: Record<number, string> = {
	400: FIX_REPORTED_PROBLEM,
	401: 'Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
	402: 'Top up the account at your provider, then try again.',
	403: 'Ask the owner of the account for the permission, or use another API token.',
	404: 'Check the ID. It does not exist in the account that the API token belongs to.',
	413: 'Shorten the values, then try again.',
	422: FIX_REPORTED_PROBLEM,
	429: 'Try again later, or send fewer requests at once.',
};

const shortened = (text: string) => {
	const words = text.replace(/\s+/g, ' ').trim();
	return words.length > MAX_MESSAGE_LENGTH ? `${words.slice(0, MAX_MESSAGE_LENGTH)}…` : words;
};

const isWebPage = (body: unknown) => typeof body === 'string' && body.trim().startsWith('<');

/** The first text among values, shortened. */
function firstText(...values: unknown[]): string | undefined {
	const text = values.find((value) => typeof value === 'string' && value.trim() !== '');
	return typeof text === 'string' ? shortened(text) : undefined;
}

/** The service's own message, in the documented shape or in another common shape. */
function serviceMessage(body: unknown): string | undefined {
	if (!isRecord(body)) return isWebPage(body) ? undefined : firstText(body);
	const { message, error, errors } = body;
	const inError = isRecord(error) ? error.message : error;
	return firstText(message, inError, ...(Array.isArray(errors) ? (errors as unknown[]) : []));
}

const isScalar = (value: unknown): value is string | number | boolean =>
	['string', 'number', 'boolean'].includes(typeof value);

/** The messages of a field and of the fields inside it: `variables.email`. */
function messagesAt(field: string, value: unknown): Array<[field: string, messages: string[]]> {
	const inside = (key: string) => (field ? `${field}.${key}` : key);
	if (Array.isArray(value)) {
		const texts = (value as unknown[]).filter(isScalar).map(String);
		const named = value
			.filter(isRecord)
			.flatMap(({ field: name, message, ...rest }) =>
				typeof message === 'string'
					? messagesAt(typeof name === 'string' ? inside(name) : field, message)
					: messagesAt(field, rest),
			);
		return texts.length > 0 ? [[field, texts.map(shortened)], ...named] : named;
	}
	if (isRecord(value)) {
		return Object.entries(value).flatMap(([key, entry]) => messagesAt(inside(key), entry));
	}
	return isScalar(value) ? [[field, [shortened(String(value))]]] : [];
}

/** The `errors` of a validation error, as lists of texts by field (contract: Errors). */
function fieldErrors(body: unknown): FieldErrors | undefined {
	if (!isRecord(body) || typeof body.errors !== 'object') return undefined;
	const errors = Object.fromEntries(messagesAt('', body.errors).filter(([field]) => field !== ''));
	return Object.keys(errors).length > 0 ? errors : undefined;
}

/** The wait that a rate limit asks for, in milliseconds: header first, then the body, in seconds. */
function retryAfterMs({ headers, body }: Response): number | undefined {
	const header = headers['retry-after'];
	const headerText = typeof header === 'string' && header !== '' ? header : undefined;
	const seconds = Number(
		headerText ?? (isRecord(body) ? (body.retry_after ?? undefined) : undefined),
	);
	if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
	const until = headerText === undefined ? NaN : Date.parse(headerText);
	return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

function messageOf({ statusCode, body }: Response): string {
	const words = serviceMessage(body);
	const withWords = (text: string) => (words ? `${text}: ${words}` : text);
	if (statusCode === 401) return withWords('The service did not accept the API token');
	if (statusCode === 429) return withWords('The service is receiving too many requests');
	if (words) return words;
	if (statusCode === 413) return 'The service refused the request because it is too large';
	if (isWebPage(body)) {
		return `The service answered with a web page instead of data (status ${statusCode})`;
	}
	if (statusCode >= 500) return `The service could not process the request (status ${statusCode})`;
	return `The service refused the request (status ${statusCode})`;
}

function adviceOf(response: Response): string | undefined {
	const { statusCode, body } = response;
	if (statusCode >= 500) return undefined;
	if (statusCode === 401 || statusCode === 413 || statusCode === 429) return ADVICE[statusCode];
	if (fieldErrors(body)) return 'Correct the fields named above, then try again.';
	if (isWebPage(body) || (statusCode === 404 && serviceMessage(body) === undefined)) {
		return CHECK_BASE_URL;
	}
	return ADVICE[statusCode] ?? 'Change the request and try again.';
}

/** A redirected write may have succeeded: some services redirect after a successful write. */
function redirectFailure({ statusCode, headers }: Response): Failure {
	const location = typeof headers.location === 'string' ? headers.location : '';
	const common = { httpCode: String(statusCode), received: 'yes' } as const;
	if (location === '') {
		return {
			...common,
			message: `The service answered without data (status ${statusCode})`,
			advice: CHECK_BASE_URL,
		};
	}
	const target = URL.canParse(location) ? ` (${new URL(location).host})` : '';
	return {
		...common,
		message: `The service redirected the request to another address${target}`,
		advice:
			'The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.',
	};
}

function unreadableFailure({ statusCode, body }: Response): Failure {
	const isEmpty = body === undefined || body === null || body === '';
	return {
		message: isEmpty
			? `The service answered without content (status ${statusCode})`
			: `The service answered with a web page or text instead of data (status ${statusCode})`,
		advice: isEmpty ? undefined : CHECK_BASE_URL,
		httpCode: String(statusCode),
		received: 'yes',
	};
}

/**
 * Parses a response of the service.
 *
 * @returns the body, which is a JSON object for every documented operation. A failure when the status is
 * 300 or more, the body is no JSON object, or it has `success: false` (contract: update-status)
 */
export function parseResponse(response: Response): ParsedResponse {
	const { statusCode, body } = response;
	if (statusCode >= 300 && statusCode < 400) return { failure: redirectFailure(response) };
	if (statusCode < 300) {
		if (!isRecord(body)) return { failure: unreadableFailure(response) };
		if (body.success !== false) return { body };
	}
	return {
		failure: {
			message: messageOf(response),
			advice: adviceOf(response),
			httpCode: String(statusCode),
			errors: fieldErrors(body),
			received: 'yes',
			refused: statusCode < 500,
			retryable: statusCode >= 500 || statusCode === 429,
			retryAfterMs: statusCode === 429 ? retryAfterMs(response) : undefined,
		},
	};
}
