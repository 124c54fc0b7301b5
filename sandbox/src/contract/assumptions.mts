import { isSupportedCountry } from 'libphonenumber-js';
import { IANAZone } from 'luxon';
import * as z from 'zod';

import { checkInput } from '../base/checkInput.mts';
import { duration } from '../base/duration.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import { didYouMean } from '../base/nearest.mts';
import { readYaml } from './readYaml.mts';
import { CALL_STATUSES } from './statuses.mts';

const text = z.string().min(1);
const count = z.number().int().min(1);
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

const callStatuses = z.array(z.enum(CALL_STATUSES));
const timeZone = z.string().refine((name) => IANAZone.isValidZone(name), 'There is no such zone.');
const listPath = z.string().regex(/^(\/[\w-]+)+$/, 'This is no path.');
const country = z.string().refine(isSupportedCountry, 'There is no such country.');

/** The assumptions whose value the sandbox plays by. Durations become milliseconds. */
const assumptions = z.object({
	'unknown-request-fields': z.enum(['refused', 'ignored']),
	'rate-limit': z.object({ requests: count, per: duration }).strict().nullable(),
	/** Which headers tell what is left of the limit, and when its windows begin. */
	'rate-limit-headers': z
		.object({ form: rateLimitForm, windows: z.enum(['first-request', 'whole-second']) })
		.strict(),
	/** In bytes. */
	'request-size-limit': count,
	'time-zone': timeZone,
	'phone-number-formats': z.object({ default_country: country.nullable() }).strict(),
	/** Below the base URL; null when there is no such list. */
	'list-campaigns-path': listPath.nullable(),
	'lead-attempts': count,
	'lead-retry-wait': duration,
	'campaign-status': z.object({ initial: text, start: text, stop: text }).strict(),
	'campaign-parallel-calls': count,
	'assistant-status': z.enum(['active', 'inactive']),
	'available-voices': z.array(z.object({ id: count, name: text }).strict()),
	'available-languages': z.array(text),
	'tool-quota': z.number().int().min(0),
	/** With `{quota}` in place of the number. */
	'tool-quota-message': text,
	/** Where each method carries the parameters. HTTP clients send no body with GET. */
	'tool-parameters-delivery': z
		.object({ GET: z.literal('query'), POST: sentIn, PUT: sentIn, PATCH: sentIn, DELETE: sentIn })
		.strict(),
	/** What is filled into the headers of a tool. */
	'tool-placeholders': z.array(z.enum(TOOL_PLACEHOLDERS)),
	/** Which field of a JSON answer the assistant says, the first that is there. */
	'tool-answer-fields': z.array(text),
	'tool-no-answer': text,
	'final-call-statuses': callStatuses,
	'completed-call-statuses': callStatuses,
	/** By country code, such as `49`, and `default` for all others. */
	'sms-price': z.object({ default: price }).catchall(price),
	'account-balance': z.number().finite(),
	/** Whether the two options of an assistant's webhook also apply to its inbound webhook. */
	'inbound-webhook-events': z.object({ options_apply: z.boolean() }).strict(),
	'webhook-delay': duration,
	'webhook-retries': z.array(duration),
	'webhook-signature': z.object({ header: text, secret: text }).strict().nullable(),
	'webhook-timeout': duration,
});

export type Assumptions = z.output<typeof assumptions>;

const KEYS = Object.keys(assumptions.shape);

const file = z.record(z.object({ value: z.unknown() }).passthrough());
let defaults: Promise<{ [key: string]: unknown }> | undefined;

async function readDefaults(): Promise<{ [key: string]: unknown }> {
	const entries = Object.entries(file.parse(await readYaml('assumptions.yaml')));
	return Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
}

/**
 * The values of contract/assumptions.yaml.
 *
 * @param chosen values that replace them, by key
 * @throws {InvalidInput} for an unknown key or an impossible value
 */
export async function loadAssumptions(chosen: { [key: string]: unknown }): Promise<Assumptions> {
	const unknown = Object.keys(chosen).find((key) => !KEYS.includes(key));
	if (unknown !== undefined) {
		throw new InvalidInput(
			`There is no assumption "${unknown}" to change.${didYouMean(unknown, KEYS)} There are: ${KEYS.join(', ')}.`,
		);
	}
	defaults ??= readDefaults();
	return checkInput(assumptions, { ...(await defaults), ...chosen }, 'An assumption is invalid');
}
