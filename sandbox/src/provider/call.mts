import { DateTime } from 'luxon';

import type { Assumptions } from '../contract/assumptions.mts';
import type { Schemas } from '../contract/schemas.mts';
import { parseTime } from '../domain/times.mts';
import type { Delivery } from '../store/records.mts';
import { turns } from './turns.mts';

interface Fields {
	[name: string]: unknown;
}

/**
 * A record of the list of calls in the form of newer documents (public-service.md, "Call record": S1; assumptions:
 * call-optional-fields, call-empty-values, call-evaluation, number-form, timestamp-form, empty-objects,
 * transcript-form).
 */
export function providerCall(call: Schemas['Call'], assumptions: Assumptions): Fields {
	const zone = assumptions['time-zone'];
	return {
		...(assumptions['call-optional-fields'] === 'nulls' && {
			campaign_name: null,
			recording_url: null,
		}),
		...call,
		...(assumptions['call-empty-values'] === 'nulls' && {
			answered_by: call.answered_by === 'unknown' ? null : call.answered_by,
			webhook_response: isEmpty(call.webhook_response) ? null : call.webhook_response,
		}),
		...(assumptions['call-evaluation'] === 'list' && { evaluation: valueList(call.evaluation) }),
		...(assumptions['number-form'] === 'texts' && {
			carrier_cost: costText(call.carrier_cost),
			total_cost: costText(call.total_cost),
		}),
		...(assumptions['timestamp-form'] === 'iso' && {
			created_at: utcTime(call.created_at, zone),
			updated_at: utcTime(call.updated_at, zone),
		}),
		variables: providerVariables(call.variables, assumptions),
		transcript: providerTranscript(call, parseTime(call.updated_at, zone), assumptions),
	};
}

/**
 * The body of a webhook in the form of newer documents (public-service.md, "Post-call webhook": S2, S9; assumptions:
 * empty-objects, transcript-form). A question before a call has one form only.
 */
export const providerNotification = (
	notification: Delivery['body'],
	assumptions: Assumptions,
): Fields => {
	if (!('id' in notification)) return notification;
	return {
		...(assumptions['webhook-payload'] === 'extended'
			? withCampaignInLead(notification)
			: notification),
		input_variables: providerVariables(notification.input_variables, assumptions),
		transcript: providerTranscript(
			notification,
			parseTime(notification.finished_at, 'UTC'),
			assumptions,
		),
	};
};

/** The campaign of a call is in its lead (public-service.md: Post-call webhook, S2, S12a). */
const withCampaignInLead = ({ campaign, lead, ...others }: Schemas['CallNotification']) => ({
	...others,
	lead: lead && { ...lead, campaign },
});

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

const providerVariables = (
	variables: object,
	{ 'empty-objects': form }: Assumptions,
): object | never[] => (form === 'arrays' && isEmpty(variables) ? [] : variables);

const providerTranscript = (
	{ transcript, duration }: { transcript: string; duration: number },
	end: number,
	{ 'transcript-form': form }: Assumptions,
) => (form === 'turns' ? turns(transcript, duration, end) : transcript);

/** `{name, type, value, description}`, type `bool`, `string` or `integer` (S1). */
const valueList = (evaluation: Fields) =>
	Object.entries(evaluation).map(([name, value]) => ({
		name,
		type: typeof value === 'boolean' ? 'bool' : Number.isInteger(value) ? 'integer' : 'string',
		value,
		description: name.replaceAll('_', ' '),
	}));

/** `"0.08000000"` (S1). */
const costText = (cost: number): string => cost.toFixed(8);

/** ISO 8601 with `Z`, as in the list of calls of S1. */
const utcTime = (plain: string, zone: string): string | null =>
	DateTime.fromSQL(plain, { zone }).toUTC().toISO({ suppressMilliseconds: true });
