import * as z from 'zod';

import { durationText, milliseconds } from '../base/duration.mts';
import { operations } from '../domain/operations.mts';
import { WEBHOOK_EVENTS } from '../faults/deliveryFaults.mts';
import { FAULT_PRESETS } from '../faults/presets.mts';

/** The longest delay of a fault, in milliseconds. */
const MAX_DELAY_MS = 60_000;

/** The most duplicates and repetitions of one webhook. */
const MAX_ATTEMPTS = 100;

/** What HTTP allows in a header (RFC 9110, section 5). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** How a response is put on the wire is the server's business. */
const FRAMING_HEADER = /^(connection|content-length|trailer|transfer-encoding|upgrade)$/i;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Statuses of responses without a body (RFC 9110, section 6.4.1). */
const WITHOUT_BODY = [204, 304];

const text = z.string().min(1);
const delayMs = z.number().int().min(0).max(MAX_DELAY_MS).optional();
const headerValue = z.string().regex(HEADER_VALUE, 'This is not the value of a header.');

const limits = {
	times: z.number().int().min(1).default(1),
	skip_first: z.number().int().min(0).optional(),
	probability: z.number().positive().max(1).optional(),
	ttl: durationText.optional(),
};

const requestRule = z
	.object({
		target: z
			.literal('requests', {
				errorMap: () => ({ message: 'Expected "requests" or "deliveries".' }),
			})
			.optional(),
		operation: text
			.refine(
				(name) => Object.hasOwn(operations, name),
				(name) => ({
					message: `There is no operation ${name}. There are: ${Object.keys(operations).join(', ')}.`,
				}),
			)
			.optional(),
		method: z.enum(METHODS).optional(),
		path: z
			.string()
			.regex(/^(\/api|\*)/, 'A path begins with /api or *, as in "/api/user/leads/*".')
			.optional(),
		token: text.optional(),
		body_field: z.object({ name: text, equals: z.unknown() }).strict().optional(),
		status: z.number().int().min(200).max(599).optional(),
		body: z.unknown(),
		headers: z
			.record(z.string().regex(HEADER_NAME, 'This is not the name of a header.'), headerValue)
			.optional(),
		content_type: headerValue.min(1).optional(),
		malformed_json: z.literal(true).optional(),
		truncate_body: z.number().int().min(0).optional(),
		delay_ms: delayMs,
		slow_first_byte_ms: delayMs,
		slow_body_ms: delayMs,
		drop: z
			.union([z.boolean(), z.enum(['before', 'after'])], {
				errorMap: () => ({ message: 'Expected true, false, "before" or "after".' }),
			})
			.optional(),
		...limits,
	})
	.strict()
	.superRefine((rule, context) => {
		const refuse = refusalsIn(context);
		if (!hasEffect(rule, REQUEST_EFFECTS)) refuse('', `A fault needs ${listOf(REQUEST_EFFECTS)}.`);

		if (rule.operation !== undefined && rule.method !== undefined) {
			refuse('method', 'An operation has one method. Remove operation or method.');
		}
		if (rule.body_field && (rule.method === 'GET' || rule.method === 'HEAD')) {
			refuse('body_field', `A ${rule.method} request has no body. Remove body_field or method.`);
		}

		if (rule.drop) {
			for (const field of RESPONSE_FIELDS) {
				if (rule[field] === undefined) continue;
				refuse(field, `A dropped connection has no response. Remove ${field} or drop.`);
			}
		}
		const hasResponse = rule.status !== undefined || rule.body !== undefined;
		if (rule.headers && !hasResponse && !rule.drop) {
			refuse('headers', 'They belong to a response of the rule. Add status or body.');
		}
		for (const name of Object.keys(rule.headers ?? {})) {
			if (!FRAMING_HEADER.test(name)) continue;
			refuse('headers', `The server sets ${name} itself. Remove it.`);
		}
		const ownType = Object.keys(rule.headers ?? {}).some((name) => /^content-type$/i.test(name));
		if (ownType && rule.content_type !== undefined) {
			refuse('content_type', 'headers has a type too. Remove one of them.');
		}
		if (rule.malformed_json && typeof rule.body === 'string') {
			refuse('malformed_json', 'The body is a text, and is sent unchanged. Remove one of them.');
		}
		const isEmpty = rule.body === '' || WITHOUT_BODY.includes(rule.status ?? 200);
		for (const field of isEmpty ? BODY_EFFECTS : []) {
			if (rule[field] !== undefined) refuse(field, `The response has no body. Remove ${field}.`);
		}
	});

const REQUEST_EFFECTS = [
	'status',
	'body',
	'content_type',
	'malformed_json',
	'truncate_body',
	'delay_ms',
	'slow_first_byte_ms',
	'slow_body_ms',
	'drop',
] as const;

const RESPONSE_FIELDS = [
	'status',
	'body',
	'headers',
	'content_type',
	'malformed_json',
	'truncate_body',
	'slow_first_byte_ms',
	'slow_body_ms',
] as const;

const BODY_EFFECTS = ['malformed_json', 'truncate_body', 'slow_body_ms'] as const;

const deliveryRule = z
	.object({
		target: z.literal('deliveries'),
		event: z.enum(WEBHOOK_EVENTS).optional(),
		assistant_id: z.number().int().min(1).optional(),
		duplicate: z.number().int().min(1).max(MAX_ATTEMPTS).optional(),
		delay: durationText.refine((span) => milliseconds(span) > 0, 'This is no delay.').optional(),
		retry: z.array(durationText).min(1).max(MAX_ATTEMPTS).optional(),
		...limits,
	})
	.strict()
	.superRefine((rule, context) => {
		if (hasEffect(rule, DELIVERY_EFFECTS)) return;
		refusalsIn(context)('', `A fault of deliveries needs ${listOf(DELIVERY_EFFECTS)}.`);
	});

const DELIVERY_EFFECTS = ['duplicate', 'delay', 'retry'] as const;

/** A value that does nothing is `undefined`, `false`, or 0 milliseconds. */
const hasEffect = <Field extends string>(
	rule: { [Name in Field]?: unknown },
	effects: readonly Field[],
): boolean =>
	effects.some((name) => {
		const value = rule[name];
		return name.endsWith('_ms') ? Boolean(value) : value !== undefined && value !== false;
	});

const listOf = (names: readonly string[]): string =>
	`${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

const refusalsIn = (context: z.RefinementCtx) => (field: string, message: string) =>
	context.addIssue({ code: 'custom', path: field === '' ? [] : [field], message });

const [firstPreset = '', ...otherPresets] = FAULT_PRESETS.map(({ name }) => name);

const preset = z.object({ preset: z.enum([firstPreset, ...otherPresets]) }).strict();

/** What the routes of faults take, by what it is for. */
export const faultInputs = { requestRule, deliveryRule, preset };
