import { Ajv2020 } from 'ajv/dist/2020.js';
import { isSupportedCountry } from 'libphonenumber-js';
import { IANAZone } from 'luxon';

import { isDuration, milliseconds } from '../base/duration.mts';
import { CALL_STATUSES } from '../store/records.mts';
import { BadInput } from '../base/invalidInput.mts';
import type { Prices } from '../domain/prices.mts';

/** What contract/assumptions.yaml has the sandbox assume, in the units the code works with. */
export interface Assumptions {
	rateLimit: { requests: number; perMs: number } | null;
	requestSizeLimit: number;
	/** IANA name. */
	timeZone: string;
	defaultCountry: string | null;
	leadAttempts: number;
	leadRetryWaitMs: number;
	campaignStatus: { initial: string; start: string; stop: string };
	campaignParallelCalls: number;
	assistantStatus: 'active' | 'inactive';
	voices: Array<{ id: number; name: string }>;
	languages: string[];
	toolQuota: number;
	/** With `{quota}` in place of the number. */
	toolQuotaMessage: string;
	finalCallStatuses: string[];
	completedCallStatuses: string[];
	smsPrices: Prices;
	balance: number;
	/** Whether the two options of an assistant's webhook hold for its inbound webhook, too. */
	optionsApplyToInboundWebhook: boolean;
	webhookDelayMs: number;
	webhookRetryWaitsMs: number[];
	webhookSignature: { header: string; secret: string } | null;
	webhookTimeoutMs: number;
}

interface Values {
	'rate-limit': { requests: number; per: string } | null;
	'request-size-limit': number;
	'time-zone': string;
	'phone-number-formats': { default_country: string | null };
	'lead-attempts': number;
	'lead-retry-wait': string;
	'campaign-status': { initial: string; start: string; stop: string };
	'campaign-parallel-calls': number;
	'assistant-status': 'active' | 'inactive';
	'available-voices': Array<{ id: number; name: string }>;
	'available-languages': string[];
	'tool-quota': number;
	'tool-quota-message': string;
	'final-call-statuses': string[];
	'completed-call-statuses': string[];
	'sms-price': Prices;
	'account-balance': number;
	'inbound-webhook-events': { options_apply: boolean };
	'webhook-delay': string;
	'webhook-retries': string[];
	'webhook-signature': { header: string; secret: string } | null;
	'webhook-timeout': string;
}

const object = (properties: { [name: string]: object }) => ({
	type: 'object',
	additionalProperties: false,
	required: Object.keys(properties),
	properties,
});
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const text = { type: 'string', minLength: 1 };
const duration = { type: 'string', format: 'duration' };
const texts = { type: 'array', items: text };
const callStatuses = { type: 'array', items: { enum: CALL_STATUSES } };
const count = { type: 'integer', minimum: 1 };
const price = { type: 'number', minimum: 0 };

const VALUE_SCHEMAS: { [Key in keyof Values]: object } = {
	'rate-limit': orNull(object({ requests: count, per: duration })),
	'request-size-limit': count,
	'time-zone': { type: 'string', format: 'time zone' },
	'phone-number-formats': object({
		default_country: orNull({ type: 'string', format: 'country' }),
	}),
	'lead-attempts': count,
	'lead-retry-wait': duration,
	'campaign-status': object({ initial: text, start: text, stop: text }),
	'campaign-parallel-calls': count,
	'assistant-status': { enum: ['active', 'inactive'] },
	'available-voices': { type: 'array', items: object({ id: count, name: text }) },
	'available-languages': texts,
	'tool-quota': { type: 'integer', minimum: 0 },
	'tool-quota-message': text,
	'final-call-statuses': callStatuses,
	'completed-call-statuses': callStatuses,
	'sms-price': { type: 'object', required: ['default'], additionalProperties: price },
	'account-balance': { type: 'number' },
	'inbound-webhook-events': object({ options_apply: { type: 'boolean' } }),
	'webhook-delay': duration,
	'webhook-retries': { type: 'array', items: duration },
	'webhook-signature': orNull(object({ header: text, secret: text })),
	'webhook-timeout': duration,
};

const validator = new Ajv2020({
	formats: {
		duration: isDuration,
		'time zone': (name) => IANAZone.isValidZone(name),
		country: (name) => isSupportedCountry(name),
	},
});
const accepts = validator.compile<Values>({
	type: 'object',
	required: Object.keys(VALUE_SCHEMAS),
	properties: VALUE_SCHEMAS,
});

/** The keys whose value can be chosen. */
export const ASSUMPTION_KEYS = Object.keys(VALUE_SCHEMAS);

/**
 * Reads the values of contract/assumptions.yaml, by key.
 * @throws {BadInput} in words, when a value is not what it should be
 */
export function readAssumptions(values: { [key: string]: unknown }): Assumptions {
	if (!accepts(values)) {
		const [error] = accepts.errors ?? [];
		const place = error?.instancePath.slice(1).replaceAll('/', '.');
		throw new BadInput(`The assumption ${place} ${error?.message}.`);
	}
	const rate = values['rate-limit'];
	return {
		rateLimit: rate && { requests: rate.requests, perMs: milliseconds(rate.per) },
		requestSizeLimit: values['request-size-limit'],
		timeZone: values['time-zone'],
		defaultCountry: values['phone-number-formats'].default_country,
		leadAttempts: values['lead-attempts'],
		leadRetryWaitMs: milliseconds(values['lead-retry-wait']),
		campaignStatus: values['campaign-status'],
		campaignParallelCalls: values['campaign-parallel-calls'],
		assistantStatus: values['assistant-status'],
		voices: values['available-voices'],
		languages: values['available-languages'],
		toolQuota: values['tool-quota'],
		toolQuotaMessage: values['tool-quota-message'],
		finalCallStatuses: values['final-call-statuses'],
		completedCallStatuses: values['completed-call-statuses'],
		smsPrices: values['sms-price'],
		balance: values['account-balance'],
		optionsApplyToInboundWebhook: values['inbound-webhook-events'].options_apply,
		webhookDelayMs: milliseconds(values['webhook-delay']),
		webhookRetryWaitsMs: values['webhook-retries'].map(milliseconds),
		webhookSignature: values['webhook-signature'],
		webhookTimeoutMs: milliseconds(values['webhook-timeout']),
	};
}
