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
/** What the service can fill into the headers and the URL of a mid call tool. */
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
/** Whether something is as in the contract or as in newer documents; see contract/newer.yaml. */
const generation = z.enum(['contract', 'newer']);
const modelType = z.enum(['llm', 'multimodal', 'dualplex']);
const timeZone = z.string().refine((name) => IANAZone.isValidZone(name), 'There is no such zone.');
const order = z.enum(['oldest-first', 'newest-first']);
const listPath = z.string().regex(/^(\/[\w-]+)+$/, 'This is no path.');
const country = z.string().refine(isSupportedCountry, 'There is no such country.');

/** The assumptions whose value the sandbox plays by. Durations become milliseconds. */
export const assumptionFormat = z.object({
	/** The status. */
	unauthenticated: oneOf(401, 403),
	'authorization-failures': z.enum(['not-found', 'forbidden', 'forbidden-campaigns']),
	'unknown-request-fields': z.enum(['refused', 'ignored']),
	'rate-limit': z.object({ requests: count, per: duration }).strict().nullable(),
	'rate-limit-headers': z.enum(['none', 'x-time']),
	'read-time': timeSpan.nullable(),
	'change-time': timeSpan
		.extend({ slow: z.object({ one_in: count, time: duration }).strict().optional() })
		.nullable(),
	/** Of the changes that are carried out. */
	'gateway-timeouts': oneIn,
	/** In bytes. */
	'request-size-limit': count,
	'time-zone': timeZone,
	/** Of calls. */
	'timestamp-form': z.enum(['plain', 'iso']),
	/** Of the costs of calls. */
	'number-form': z.enum(['numbers', 'texts']),
	'empty-objects': z.enum(['objects', 'arrays']),
	'phone-number-formats': z.object({ default_country: country.nullable() }).strict(),
	'lead-statuses': generation,
	'lead-attempts': count,
	'lead-retry-wait': duration,
	'campaign-status': z.object({ initial: text, start: text, stop: text }).strict(),
	'campaign-already-in-state': z.enum(['answered', 'refused']),
	'campaign-parallel-calls': count,
	'assistant-fields': generation,
	'assistant-tools': generation,
	'assistant-status': z.enum(['active', 'inactive']),
	'assistant-order': order,
	/** Below the base URL. */
	'list-assistants-path': listPath,
	'webhook-inactive-keeps-url': z.enum(['kept', 'cleared']),
	'available-voices': z.array(voice),
	'available-languages': z.array(text),
	'available-models': z.array(z.object({ id: count, name: text, type: modelType }).strict()),
	'tool-fields': generation,
	'tool-quota': z.number().int().min(0),
	/** Where each method carries the parameters. HTTP clients send no body with GET. */
	'tool-parameters-delivery': z
		.object({ GET: z.literal('query'), POST: sentIn, PUT: sentIn, PATCH: sentIn, DELETE: sentIn })
		.strict(),
	/** What is filled into the headers and the URL of a tool. */
	'tool-placeholders': z.array(z.enum(TOOL_PLACEHOLDERS)),
	/** Which field of a JSON answer the assistant says, the first that is there. */
	'tool-answer-fields': z.array(text),
	'tool-no-answer': text,
	'final-call-statuses': callStatuses,
	'completed-call-statuses': callStatuses,
	'call-order': order,
	'call-empty-values': z.enum(['empty', 'nulls']),
	'call-optional-fields': z.enum(['absent', 'nulls']),
	'call-result-time': timeSpan.nullable(),
	'transcript-form': z.enum(['text', 'turns']),
	'call-evaluation': z.enum(['object', 'list']),
	'sms-record': generation,
	/** By country code, such as `49`, and `default` for all others. */
	'sms-price': z.object({ default: price }).catchall(price),
	'account-balance': z.number().finite(),
	'webhook-payload': z.enum(['plain', 'extended']),
	'inbound-webhook-events': z.enum(['finished', 'finished-without-options', 'question']),
	/** In real time. */
	'inbound-webhook-timeout': duration,
	'webhook-delay': duration,
	'webhook-retries': z.array(duration),
	'webhook-timeout': duration,
});

export type Assumptions = z.output<typeof assumptionFormat>;
