import { isSupportedCountry } from 'libphonenumber-js';
import { IANAZone } from 'luxon';
import * as z from 'zod';

import { duration } from '../base/duration.mts';
import { CALL_STATUSES } from './statuses.mts';

const text = z.string().min(1);
const count = z.number().int().min(1);
/** Between which times one is drawn. */
const timeSpan = z.object({ from: duration, to: duration }).strict();
/** One in so many; null means none. */
const oneIn = count.nullable();
const price = z.number().min(0).finite();
const sentIn = z.enum(['query', 'body']);
const rateLimitForm = z.enum([
	...(['none', 'x-seconds', 'x-fraction', 'x-time', 'x-time-ms'] as const),
	...(['ietf-three', 'ietf-one', 'ietf-policy'] as const),
]);
/** What the service can fill into the headers of a mid call tool. */
export const TOOL_PLACEHOLDERS = [
	'customer_phone',
	'assistant_phone',
	'assistant_id',
	'assistant_name',
	'current_date',
	'current_time',
] as const;

/** The modes of assistants (public-service.md: Table 2, S1, S2). */
const MODES = ['pipeline', 'multimodal', 'dualplex'] as const;

const callStatuses = z.array(z.enum(CALL_STATUSES));
/** Other names of statuses. With them, all names still differ. */
const statusNames = z
	.record(z.enum(CALL_STATUSES), text)
	.refine(
		(names) =>
			new Set(CALL_STATUSES.map((status) => names[status] ?? status)).size === CALL_STATUSES.length,
		'Two statuses have the same name.',
	);

/** The kinds of records that the service shows; `notification` is the body of a webhook. */
const RECORD_KINDS = [
	'lead',
	'assistant',
	'tool',
	'call',
	'sms',
	'campaign',
	'notification',
] as const;
/** Without them, a client finds no record. */
const NEVER_MISSING = ['id', 'data'];
const fieldNames = z.array(
	text.refine((name) => !NEVER_MISSING.includes(name), 'This field is never missing.'),
);

/** One of some numbers, as z.enum is one of some texts. */
const oneOf = <Value extends number>(...values: Value[]) =>
	z.custom<Value>(
		(given) => values.some((value) => value === given),
		`It must be ${values.join(' or ')}.`,
	);
/** What an assistant speaks with, and for which modes (public-service.md: Voices, languages, models, providers, numbers, S12a). */
export const voice = z
	.object({
		id: count,
		name: text,
		gender: z.enum(['female', 'male']).default('female'),
		language_id: count.default(1),
		modes: z.array(z.enum(MODES)).default([...MODES]),
	})
	.strict();
const modelType = z.enum(['llm', 'multimodal', 'dualplex']);
const timeZone = z.string().refine((name) => IANAZone.isValidZone(name), 'There is no such zone.');
const order = z.enum(['oldest-first', 'newest-first']);
const listPath = z.string().regex(/^(\/[\w-]+)+$/, 'This is no path.');
const country = z.string().refine(isSupportedCountry, 'There is no such country.');

/** The assumptions whose value the sandbox plays by. Durations become milliseconds. */
export const assumptionFormat = z.object({
	/** The status. */
	unauthenticated: oneOf(401, 403),
	'authorization-failures': z.enum(['not-found', 'forbidden']),
	/** The status of the operations for which the contract names none. */
	'success-status': oneOf(200, 201, 202, 204),
	/** The status. */
	'validation-status': oneOf(422, 400, 200),
	/** What tells a refusal with status 200 from a success. */
	'refusal-form': z.enum(['success', 'has-error', 'status', 'error-code', 'list']),
	'unknown-request-fields': z.enum(['refused', 'ignored']),
	'rate-limit': z.object({ requests: count, per: duration }).strict().nullable(),
	/** Which headers tell what is left of the limit, and when its windows begin. */
	'rate-limit-headers': z
		.object({ form: rateLimitForm, windows: z.enum(['first-request', 'whole-second', 'sliding']) })
		.strict(),
	/** How a 429 tells the wait. */
	'retry-after': z.enum(['seconds', 'milliseconds', 'date', 'none']),
	'read-time': timeSpan.nullable(),
	'change-time': timeSpan
		.extend({ slow: z.object({ one_in: count, time: duration }).strict().optional() })
		.nullable(),
	/** Of the changes that are carried out. */
	'gateway-timeouts': oneIn,
	/** In bytes. */
	'request-size-limit': count,
	'time-zone': timeZone,
	'timestamp-form': z.enum(['plain', 'iso', 'rails', 'mail', 'unix', 'unix-fraction']),
	'id-form': z.enum(['numbers', 'texts']),
	'number-form': z.enum(['numbers', 'texts']),
	'boolean-form': z.enum(['booleans', 'numbers', 'texts', 'words']),
	'phone-number-form': z.enum(['texts', 'numbers']),
	'word-form': z.enum(['words', 'labelled']),
	'object-form': z.enum(['objects', 'texts']),
	'empty-objects': z.enum(['objects', 'arrays', 'nulls']),
	'null-form': z.enum(['nulls', 'texts', 'words']),
	'list-form': z.enum(['arrays', 'objects']),
	'record-form': z.enum([
		...(['plain', 'list', 'named', 'twice'] as const),
		...(['beside', 'bare', 'attributes'] as const),
	]),
	'row-form': z.enum(['plain', 'named', 'attributes']),
	/** Fields with their values, by the kind of record. */
	'extra-fields': z.record(z.enum(RECORD_KINDS), z.record(text, z.unknown())),
	/** Names of fields by the kind of record. `page` is what is around the records of a list. */
	'missing-fields': z.record(z.enum([...RECORD_KINDS, 'page']), fieldNames),
	'phone-number-formats': z.object({ default_country: country.nullable() }).strict(),
	'lead-duplicates': z.enum(['refused', 'allowed']),
	/** How a refused one is told. */
	'lead-duplicate-refusal': z.enum(['fields', 'taken', 'conflict', 'success']),
	'lead-attempts': count,
	'lead-retry-wait': duration,
	'campaign-status': z.object({ initial: text, start: text, stop: text }).strict(),
	'campaign-parallel-calls': count,
	'assistant-status': z.enum(['active', 'inactive']),
	'assistant-order': order,
	'assistant-variables-update': z.enum(['replaced', 'merged']),
	/** Below the base URL. */
	'list-assistants-path': listPath,
	'webhook-inactive-keeps-url': z.enum(['kept', 'cleared']),
	'webhook-url-form': z.enum(['kept', 'normalised', 'trailing-slash']),
	'available-voices': z.array(voice),
	'available-languages': z.array(text),
	'available-models': z.array(z.object({ id: count, name: text, type: modelType }).strict()),
	'tool-ids-update': z.enum(['replaced', 'added']),
	'tool-headers-form': z.enum(['shown', 'masked', 'absent']),
	'tool-quota': z.number().int().min(0),
	/** With `{quota}` in place of the number. */
	'tool-quota-message': text,
	/** Where each method carries the parameters. HTTP clients send no body with GET. */
	'tool-parameters-delivery': z
		.object({ GET: z.literal('query'), POST: sentIn, PUT: sentIn, PATCH: sentIn, DELETE: sentIn })
		.strict(),
	'tool-parameters-form': z.enum([
		...(['plain', 'in-args', 'in-arguments', 'in-parameters', 'in-params'] as const),
		...(['in-arguments-text', 'list'] as const),
	]),
	/** What is filled into the headers of a tool. */
	'tool-placeholders': z.array(z.enum(TOOL_PLACEHOLDERS)),
	/** Which field of a JSON answer the assistant says, the first that is there. */
	'tool-answer-fields': z.array(text),
	'tool-no-answer': text,
	'final-call-statuses': callStatuses,
	'completed-call-statuses': callStatuses,
	/** The names of the provider by those of the contract. */
	'call-status-names': statusNames,
	'call-order': order,
	'call-filters': z.enum(['applied', 'ignored']),
	'call-empty-values': z.enum(['empty', 'nulls']),
	'call-optional-fields': z.enum(['absent', 'nulls']),
	'call-result-time': timeSpan.nullable(),
	'transcript-form': z.enum(['text', 'turns']),
	'recording-form': z.enum(['text', 'object', 'list']),
	/** By country code, such as `49`, and `default` for all others. */
	'sms-price': z.object({ default: price }).catchall(price),
	'account-balance': z.number().finite(),
	/** The longest. */
	'list-lag': duration,
	'page-envelope': z.enum(['flat', 'meta', 'in-data', 'has-more', 'bare']),
	'largest-page': z.object({ size: count.max(100), above: z.enum(['refused', 'capped']) }).strict(),
	'page-beyond-the-last': z.enum(['empty', 'not-found']),
	'webhook-payload': z.enum([
		...(['plain', 'in-data', 'in-result', 'in-call', 'in-attributes', 'in-list'] as const),
	]),
	'webhook-content': z.enum(['json', 'text', 'untyped', 'form', 'form-fields', 'json-text']),
	'webhook-events': z.enum(['end', 'start-and-end']),
	/** Whether the two options of an assistant's webhook also apply to its inbound webhook. */
	'inbound-webhook-events': z.object({ options_apply: z.boolean() }).strict(),
	'webhook-delay': duration,
	'webhook-retries': z.array(duration),
	'webhook-duplicates': oneIn,
	'webhook-ping': z.boolean(),
	'webhook-signature': z.object({ header: text, secret: text }).strict().nullable(),
	'webhook-timeout': duration,
});

export type Assumptions = z.output<typeof assumptionFormat>;

export type RecordKind = (typeof RECORD_KINDS)[number];
