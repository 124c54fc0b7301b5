import { isDeepStrictEqual } from 'node:util';

import type { Response } from '../base/response.mts';
import { failureMessage } from '../contract/failureMessages.mts';
import type { Key, RuleLimits } from './ruleSet.mts';

/** What goes wrong with the sending of a response. */
export interface ReplyEffects {
	/** The type of the response, whatever its body is. */
	content_type?: string | undefined;
	/** The last character of the body becomes a comma. */
	malformed_json?: true | undefined;
	/** Real milliseconds from the end of the operation to the response's first byte. */
	slow_first_byte_ms?: number | undefined;
	/** Real milliseconds from the headers to the last byte of the body, which comes in parts. */
	slow_body_ms?: number | undefined;
	/** The connection closes after so many bytes of the body, and before its last one. */
	truncate_body?: number | undefined;
}

/** A field of the request's body. */
interface BodyField {
	/** With dots between the levels. */
	name: string;
	/** Any value when left out. */
	equals?: unknown;
}

/** A rule about requests to the service, as POST /__sandbox/faults takes it. */
export interface RequestRule extends RuleLimits, ReplyEffects {
	target?: 'requests' | undefined;
	/** operationId of the contract. */
	operation?: string | undefined;
	method?: string | undefined;
	/** With the base path; `*` is any text. */
	path?: string | undefined;
	/** The bearer token of the request. It is never shown. */
	token?: string | undefined;
	body_field?: BodyField | undefined;
	/** The response's status; the request does nothing. */
	status?: number | undefined;
	/** Text is sent as it is, everything else as JSON. */
	body?: unknown;
	headers?: { [name: string]: string } | undefined;
	/** Real milliseconds before anything else, independent of the clock. */
	delay_ms?: number | undefined;
	/** Closes the connection before the request was handled (true), or after. */
	drop?: boolean | 'before' | 'after' | undefined;
}

/** What a rule can tell a request by. */
export interface RequestTraits {
	method: string;
	/** With the base path, without query. */
	path: string;
	operation: string | undefined;
	token: string | undefined;
	/** Parsed; undefined when it is not JSON. */
	body: unknown;
}

/** How rules choose requests. */
export const requestSelection = { matcher, keyOf };

/** The part of a rule that the fewest requests have. */
function keyOf({
	operation,
	method,
	path,
	token,
	body_field: field,
}: RequestRule): Key<RequestTraits> {
	if (token !== undefined)
		return { feature: 'token', read: ({ token: sent }) => sent, value: token };
	if (field) return bodyKey(field);
	if (path !== undefined && !path.includes('*')) {
		return { feature: 'path', read: ({ path: whole }) => whole, value: path };
	}
	if (operation !== undefined) {
		return { feature: 'operation', read: ({ operation: id }) => id, value: operation };
	}
	const [start = ''] = (path ?? '*').split('*', 1);
	return start === '' && method !== undefined
		? { feature: 'method', read: (request) => request.method, value: method }
		: {
				feature: `first ${start.length} of path`,
				read: (request) => request.path.slice(0, start.length),
				value: start,
			};
}

/** Texts and numbers are found by their value, everything else by the name of its field. */
function bodyKey({ name, equals }: BodyField): Key<RequestTraits> {
	const keys = name.split('.');
	return typeof equals === 'string' || typeof equals === 'number'
		? {
				feature: `value of ${name}`,
				read: ({ body }) => JSON.stringify(valueAt(keys, body)),
				value: JSON.stringify(equals),
			}
		: {
				feature: `has ${name}`,
				read: ({ body }) => String(valueAt(keys, body) !== undefined),
				value: 'true',
			};
}

function matcher(rule: RequestRule): (request: RequestTraits) => boolean {
	const { operation, method, path, token, body_field: field } = rule;
	const matchesPath = path === undefined ? undefined : pathMatcher(path);
	const matchesBody = field && bodyMatcher(field);
	return (request) =>
		(operation === undefined || operation === request.operation) &&
		(method === undefined || method === request.method) &&
		(token === undefined || token === request.token) &&
		(!matchesPath || matchesPath(request.path)) &&
		(!matchesBody || matchesBody(request.body));
}

/** Compares the texts between the stars, each behind the one before it. */
function pathMatcher(pattern: string): (path: string) => boolean {
	const [start = '', ...texts] = pattern.split('*');
	const end = texts.pop();
	if (end === undefined) return (path) => path === pattern;
	return (path) => {
		if (!path.startsWith(start)) return false;
		let at = start.length;
		for (const text of texts) {
			const found = path.indexOf(text, at);
			if (found < 0) return false;
			at = found + text.length;
		}
		return path.length - end.length >= at && path.endsWith(end);
	};
}

function bodyMatcher({ name, equals }: BodyField): (body: unknown) => boolean {
	const keys = name.split('.');
	return (body) => {
		const value = valueAt(keys, body);
		return value !== undefined && (equals === undefined || isDeepStrictEqual(value, equals));
	};
}

/** The value at the end of a way through objects and lists; undefined where the way ends. */
function valueAt(keys: string[], body: unknown): unknown {
	let value = body;
	for (const key of keys) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
		value = (value as { [key: string]: unknown })[key];
	}
	return value;
}

/** The message of a status when a rule has no body. */
const MESSAGES: { [status: number]: string } = {
	401: 'Unauthenticated.',
	429: 'Too Many Attempts.',
};

/** The response of a rule; undefined when it leaves that to the service. */
export function ruleResponse(rule: RequestRule, operationId: string | null): Response | undefined {
	if (rule.status === undefined && rule.body === undefined) return undefined;
	const status = rule.status ?? 200;
	const message = status === 500 ? failureMessage(operationId) : MESSAGES[status];
	const body =
		rule.body === undefined
			? { message: message ?? 'A fault is in force in the sandbox.' }
			: rule.body;
	const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
	return { status, body, headers: { 'content-type': type, ...rule.headers } };
}
