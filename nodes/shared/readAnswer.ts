import type { IDataObject } from 'n8n-workflow';

import { isRecord } from './json';
import { MAY_HAVE_BEEN_DONE, ServiceProblem } from './serviceProblem';

/** What came back for a request: the body is parsed JSON, or text where it was none. */
export interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** What to do next, by status (contract: Authentication, Errors; the rest is assumed). */
const NEXT_STEP: Record<number, string> = {
	400: 'Put right what the service names, then run the step again.',
	401: 'Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
	402: 'Top up the account at your provider, then run the step again.',
	403: 'Ask the owner of the account for the permission, or use another API token.',
	404: 'Check the ID: nothing with it exists in the account that the API token belongs to.',
	413: 'Send less at once.',
	422: 'Put right what the service names, then run the step again.',
};

/** A rate limit's wish in milliseconds: header first, then the body's `retry_after`, both in seconds. */
function retryAfterMs({ headers, body }: Answer): number | undefined {
	const header = headers['retry-after'];
	const wish = typeof header === 'string' && header !== '' ? header : undefined;
	const seconds = Number(wish ?? (isRecord(body) ? (body.retry_after ?? undefined) : undefined));
	if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
	const until = wish === undefined ? NaN : Date.parse(wish);
	return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

/** The `errors` of a validation error, with every message as text (contract: Errors). */
function errorsByField(body: unknown): Record<string, string[]> | undefined {
	if (!isRecord(body) || !isRecord(body.errors)) return undefined;
	const entries = Object.entries(body.errors).map(([field, messages]): [string, string[]] => [
		field,
		(Array.isArray(messages) ? messages : [messages]).map(String),
	]);
	return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

const asLines = (errors: Record<string, string[]>) =>
	Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join(' ')}`);

/** What the service itself said, if it said it in its documented shape. */
const ownWords = (body: unknown) =>
	isRecord(body) && typeof body.message === 'string' && body.message.trim() !== ''
		? body.message.trim()
		: undefined;

function whatHappened({ statusCode, body }: Answer): string {
	const words = ownWords(body);
	if (statusCode === 401) {
		return `The service did not accept the API token${words ? `: ${words}` : ''}`;
	}
	if (statusCode === 429) {
		return `The service is receiving too many requests${words ? `: ${words}` : ''}`;
	}
	if (words) return words;
	if (typeof body === 'string' && body.trim().startsWith('<')) {
		return `The service answered with a web page instead of data (status ${statusCode})`;
	}
	if (statusCode >= 500) return `The service could not process the request (status ${statusCode})`;
	return `The service refused the request (status ${statusCode})`;
}

function whatToDo(answer: Answer, isRead: boolean): string {
	const { statusCode, body } = answer;
	if (statusCode === 429) {
		return "Try again later. Where many items are sent at once, lower 'Max Concurrent Requests' in the settings of the node.";
	}
	if (statusCode >= 500) return isRead ? 'Run the step again later.' : MAY_HAVE_BEEN_DONE;
	if (errorsByField(body)) return 'Change these fields and run the step again.';
	const isWebPage = typeof body === 'string' && statusCode !== 401;
	if (isWebPage || (statusCode === 404 && ownWords(body) === undefined)) {
		return 'Check the Base URL in the credential: it must be the address of the API and end in /api.';
	}
	return NEXT_STEP[statusCode] ?? 'Change the request and run the step again.';
}

function redirected({ statusCode, headers }: Answer, isRead: boolean): ServiceProblem {
	const location = typeof headers.location === 'string' ? headers.location : '';
	const host = URL.canParse(location) ? ` (${new URL(location).host})` : '';
	return new ServiceProblem({
		message: `The service sent the request on to another address${host}`,
		description: `The API token stays with its host, so the request was not repeated there. Enter the final address as Base URL in the credential.${isRead ? '' : ` ${MAY_HAVE_BEEN_DONE}`}`,
		httpCode: String(statusCode),
		// Some services answer a write they have carried out by sending on to a page about it.
		uncertain: !isRead,
	});
}

function unreadable({ statusCode, body }: Answer, isRead: boolean): ServiceProblem {
	const isEmpty = body === undefined || body === null || body === '';
	return new ServiceProblem({
		message: isEmpty
			? `The service answered without content (status ${statusCode})`
			: `The service answered with a web page or text instead of data (status ${statusCode})`,
		description: isEmpty
			? isRead
				? 'Run the step again later; if it stays so, ask your provider.'
				: MAY_HAVE_BEEN_DONE
			: `Check the Base URL in the credential: it must be the address of the API, not of the web site, and end in /api.${isRead ? '' : ` ${MAY_HAVE_BEEN_DONE}`}`,
		httpCode: String(statusCode),
		uncertain: !isRead,
	});
}

/**
 * Reads an answer of the service.
 *
 * @param answer status, headers and body as they came
 * @param isRead whether the request only read (GET): then it may be repeated
 * @returns the body, which is a JSON object for every documented operation; or the problem, for
 * everything that is not a success: a status of 300 or more, a body that is no JSON object, and
 * `success: false` (contract: update-status)
 */
export function readAnswer(answer: Answer, isRead: boolean): IDataObject | ServiceProblem {
	const { statusCode, body } = answer;
	if (statusCode >= 300 && statusCode < 400) return redirected(answer, isRead);
	if (statusCode < 300) {
		if (!isRecord(body)) return unreadable(answer, isRead);
		if (body.success !== false) return body;
	}

	const errors = errorsByField(body);
	return new ServiceProblem({
		message: whatHappened(answer),
		description: [...(errors ? asLines(errors) : []), whatToDo(answer, isRead)].join('\n'),
		httpCode: String(statusCode),
		errors,
		uncertain: !isRead && statusCode >= 500,
		passing: statusCode >= 500 || statusCode === 429,
		retryAfterMs: statusCode === 429 ? retryAfterMs(answer) : undefined,
	});
}
