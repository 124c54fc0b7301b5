import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

import * as z from 'zod';

import type { Response } from '../base/apiError.mts';
import { failureMessage } from '../contract/validationMessages.mts';
import { limits, requireEffect } from './ruleSet.mts';

const MAX_DELAY_MS = 60_000;

/** What HTTP allows in a header (RFC 9110, section 5). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** How a response is put on the wire is the server's business. */
const FRAMING_HEADER = /^(connection|content-length|trailer|transfer-encoding|upgrade)$/i;

/** Statuses of responses without a body (RFC 9110, section 6.4.1). */
const WITHOUT_BODY = [204, 304];

const BODY_EFFECTS = ['malformed_json', 'truncate_body', 'slow_body_ms'] as const;
const RESPONSE_EFFECTS = ['content_type', ...BODY_EFFECTS, 'slow_first_byte_ms'] as const;
const RESPONSE_FIELDS = ['status', 'body', 'headers', ...RESPONSE_EFFECTS] as const;
const EFFECTS = ['status', 'body', ...RESPONSE_EFFECTS, 'delay_ms', 'drop'];

const text = z.string().min(1);
const delayMs = z.number().int().min(0).max(MAX_DELAY_MS).optional();
const headerName = z.string().regex(HEADER_NAME, 'This is not the name of a header.');
const headerValue = z.string().regex(HEADER_VALUE, 'This is not the value of a header.');

/** Says what else would fit, instead of zod's own message. */
const expected = (values: string) => ({ errorMap: () => ({ message: `Expected ${values}.` }) });

/** A rule about requests to the service. */
export const requestFields = z
	.object({
		target: z
			.literal('requests', expected('"requests" or "deliveries"'))
			.optional()
			.describe('A rule about requests to the service.'),
		operation: text.optional().describe('Only requests of this operationId of the contract.'),
		method: z
			.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
			.optional()
			.describe('Only requests with this method.'),
		path: z
			.string()
			.regex(/^(\/api|\*)/, 'A path begins with /api or *, as in "/api/user/leads/*".')
			.optional()
			.describe('Only requests to this path; * is any text.'),
		token: text.optional().describe('Only requests with this API token. It is never shown.'),
		body_field: z
			.object({
				name: text.describe('Its name; dots lead into objects and lists.'),
				equals: z.unknown().describe('Its value. Otherwise any.'),
			})
			.strict()
			.optional()
			.describe('Only requests whose body has this field.'),
		status: z
			.number()
			.int()
			.min(200)
			.max(599)
			.optional()
			.describe('The status of the response, instead of what the service would do.'),
		body: z.unknown().describe('The body of the response: JSON, or a text that is sent unchanged.'),
		headers: z
			.record(headerName, headerValue)
			.optional()
			.describe('Headers of the response, with status or body.'),
		content_type: headerValue.min(1).optional().describe('The Content-Type of the response.'),
		malformed_json: z.literal(true).optional().describe('The response is no valid JSON.'),
		truncate_body: z
			.number()
			.int()
			.min(0)
			.optional()
			.describe('The connection ends after so many bytes of the response.'),
		delay_ms: delayMs.describe('How much later the service gets the request.'),
		slow_first_byte_ms: delayMs.describe('How much later the response begins.'),
		slow_body_ms: delayMs.describe('How long the body of the response takes.'),
		drop: z
			.union(
				[z.boolean(), z.enum(['before', 'after'])],
				expected('true, false, "before" or "after"'),
			)
			.optional()
			.describe('The connection ends without a response, before or after the work is done.'),
		...limits,
	})
	.strict();

export type RequestRule = z.output<typeof requestFields>;

/** Effects after which a client cannot read the answer of the service. */
const BREAKING = ['truncate_body', 'malformed_json', 'content_type'] as const;

/** A rule as it is, or as it is shown. */
interface AnyRule {
	[field: string]: unknown;
}

/** Whether a client cannot read an answer that this rule hit. */
export const breaksAnswer = (rule: AnyRule): boolean =>
	BREAKING.some((effect) => rule[effect] !== undefined);

/**
 * What a rule did to a request that it hit: the outcome is its own, it broke the answer of the service, or it
 * only delayed it.
 */
export type FaultEffect = 'decided' | 'broke' | 'delayed';

/** @param isAnswered whether the request got an answer, or its connection was closed */
export function faultEffect(rule: AnyRule, isAnswered: boolean): FaultEffect {
	const isDecided = isAnswered
		? rule['status'] !== undefined || rule['body'] !== undefined
		: Boolean(rule['drop']);
	if (isDecided) return 'decided';
	return breaksAnswer(rule) ? 'broke' : 'delayed';
}

/** What goes wrong with the sending of a response. */
export type ReplyEffects = Pick<RequestRule, (typeof RESPONSE_EFFECTS)[number]>;

/** Refuses a rule without effect, and fields that contradict each other. */
export function requireSense(rule: RequestRule, context: z.RefinementCtx): void {
	const { operation, method, status, body, drop, content_type: type } = rule;
	const headers = Object.keys(rule.headers ?? {});
	const refuse = (field: string, message: string) =>
		context.addIssue({ code: 'custom', path: [field], message });
	requireEffect(rule, EFFECTS, context, 'A fault');

	if (operation !== undefined && method !== undefined) {
		refuse('method', 'An operation has one method. Remove operation or method.');
	}
	if (rule.body_field && (method === 'GET' || method === 'HEAD')) {
		refuse('body_field', `A ${method} request has no body. Remove body_field or method.`);
	}
	for (const field of drop ? RESPONSE_FIELDS : []) {
		if (rule[field] === undefined) continue;
		refuse(field, `A dropped connection has no response. Remove ${field} or drop.`);
	}
	if (rule.headers && status === undefined && body === undefined && !drop) {
		refuse('headers', 'They belong to a response of the rule. Add status or body.');
	}
	for (const name of headers.filter((header) => FRAMING_HEADER.test(header))) {
		refuse('headers', `The server sets ${name} itself. Remove it.`);
	}
	if (type !== undefined && headers.some((name) => /^content-type$/i.test(name))) {
		refuse('content_type', 'headers has a type too. Remove one of them.');
	}
	if (rule.malformed_json && typeof body === 'string') {
		refuse('malformed_json', 'The body is a text, and is sent unchanged. Remove one of them.');
	}
	const isEmpty = body === '' || WITHOUT_BODY.includes(status ?? 200);
	for (const field of isEmpty ? BODY_EFFECTS : []) {
		if (rule[field] !== undefined) refuse(field, `The response has no body. Remove ${field}.`);
	}
}

export interface RequestTraits {
	method: string;
	/** With the base path, without query. */
	path: string;
	operation: string | undefined;
	token: string | undefined;
	/** Parsed; undefined when it is not JSON. */
	body: unknown;
}

/** Whether a rule is about a request. */
export function matchesRequest(rule: RequestRule, request: RequestTraits): boolean {
	const { operation, method, path, token, body_field: field } = rule;
	return (
		(operation === undefined || operation === request.operation) &&
		(method === undefined || method === request.method) &&
		(token === undefined || token === request.token) &&
		(path === undefined || matchesPath(path, request.path)) &&
		(field === undefined || matchesBody(field, request.body))
	);
}

/** Looks for the texts between the stars, each behind the one before it. */
function matchesPath(pattern: string, path: string): boolean {
	const [start = '', ...texts] = pattern.split('*');
	const end = texts.pop();
	if (end === undefined) return path === pattern;
	if (!path.startsWith(start)) return false;
	let at = start.length;
	for (const text of texts) {
		const found = path.indexOf(text, at);
		if (found < 0) return false;
		at = found + text.length;
	}
	return path.length - end.length >= at && path.endsWith(end);
}

type BodyField = NonNullable<RequestRule['body_field']>;

function matchesBody({ name, equals }: BodyField, body: unknown): boolean {
	const value = valueAt(name.split('.'), body);
	return value !== undefined && (equals === undefined || isDeepStrictEqual(value, equals));
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
	const known = status === 500 ? failureMessage(operationId) : MESSAGES[status];
	const name = [status, STATUS_CODES[status]].filter(Boolean).join(' ');
	const message = known ?? `${name}: a fault is in force in the sandbox.`;
	const body = rule.body === undefined ? { message } : rule.body;
	const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
	return { status, body, headers: { 'content-type': type, ...rule.headers } };
}
