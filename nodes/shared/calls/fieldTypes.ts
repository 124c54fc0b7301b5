import type { IDataObject } from 'n8n-workflow';

import { convertFields, toMap, toNumber, type Conversions } from '../client/conversions';
import { isRecord } from '../client/json';

type Value = IDataObject[string];

/** Date and time, with or without a zone: `2026-03-02 09:30:00`, `2026-03-02T09:30:00.000000Z`. */
const TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})?$/;

/** A time in ISO 8601, in UTC. Times without a zone are UTC (assumed: time-zone). */
export function toIsoTime(value: Value): Value {
	const [, day, time, zone = 'Z'] = (typeof value === 'string' && TIME.exec(value)) || [];
	const ms = Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(ms) ? value : new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The types of the fields of the lead and the campaign in a delivery. */
const INNER_FIELD_TYPES: Conversions = new Map([
	['id', toNumber],
	['campaign_id', toNumber],
	['variables', toMap],
]);

const toInnerRecord = (value: Value): Value =>
	isRecord(value) ? convertFields(value, INNER_FIELD_TYPES) : value;

/**
 * The types of the fields of a call (contract: Call record): numbers as numbers, empty maps as `{}`, times
 * in ISO 8601 with a zone. A value of another form stays as it is.
 */
export const CALL_FIELD_TYPES: Conversions = new Map([
	['id', toNumber],
	['assistant_id', toNumber],
	['campaign_id', toNumber],
	['duration', toNumber],
	['carrier_cost', toNumber],
	['total_cost', toNumber],
	['variables', toMap],
	['input_variables', toMap],
	['evaluation', toMap],
	['webhook_response', toMap],
	['lead', toInnerRecord],
	['campaign', toInnerRecord],
	['created_at', toIsoTime],
	['updated_at', toIsoTime],
	['finished_at', toIsoTime],
]);
