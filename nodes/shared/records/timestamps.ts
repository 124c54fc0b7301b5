import type { IDataObject } from 'n8n-workflow';

type Value = IDataObject[string];

/**
 * Date and time as the contract writes them, `2026-03-02 09:30:00`, or in ISO 8601, with or without parts of a
 * second and an offset (public-service: timestamp-form, time-zone).
 */
const TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;

const CONTRACT_FORM = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** In milliseconds since 1970; NaN when the value is no time. */
function toMilliseconds(value: Value): number {
	const [, day, time, zone = 'Z'] = typeof value === 'string' ? (TIME.exec(value) ?? []) : [];
	return Date.parse(`${day}T${time}${zone}`);
}

/**
 * Writes a time in ISO 8601, in UTC, to the second: `2026-03-02T09:30:00Z`. A time without a zone is UTC
 * (assumed: time-zone). A value that is no time stays as it is.
 */
export function toIsoTime(value: Value): Value {
	const ms = toMilliseconds(value);
	return Number.isNaN(ms) ? value : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Writes a time as the contract does: `2026-03-02 09:30:00`, in UTC. See {@link toIsoTime}. */
export function toTimestamp(value: Value): Value {
	// Lists have thousands of these, and parsing takes longer than all else.
	if (typeof value === 'string' && CONTRACT_FORM.test(value)) return value;
	const ms = toMilliseconds(value);
	return Number.isNaN(ms) ? value : new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
