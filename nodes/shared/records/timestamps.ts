import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';

type Value = IDataObject[string];

/** Date and time, with or without a zone: `2026-03-02 09:30:00`, `2026-03-02T09:30:00.000000Z`, `…+0900`, `… UTC`. */
const TIME =
	/^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)? ?(?:Z|UTC|GMT|([+-]\d{2}):?(\d{2}))?$/;

/** As headers and mails write it: `Mon, 02 Mar 2026 09:30:00 +0000` (RFC 2822). */
const MAIL_TIME = /^[A-Z]\w\w, \d\d? [A-Z]\w\w \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})$/;

const CONTRACT_FORM = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** Since 1970: seconds, or milliseconds with three digits more, and parts of them. */
const EPOCH = /^(\d{10})(\d{3})?(?:\.\d+)?$/;

/** A time in another zone would need its rules. */
const isUtc = (value: Value): value is IDataObject =>
	isRecord(value) && /^(UTC|Z|\+00:00)$/.test(asText(value.timezone ?? 'UTC'));

/** In milliseconds since 1970; NaN when the value is no time. */
function toMilliseconds(value: Value): number {
	// Carbon writes a time as `{"date": "2026-03-02 09:30:00.000000", "timezone": "UTC"}`.
	const text = asText(isUtc(value) ? value.date : value);
	const [, day, time, hours = '+00', minutes = '00'] = TIME.exec(text) ?? [];
	if (day !== undefined) return Date.parse(`${day}T${time}${hours}:${minutes}`);
	if (MAIL_TIME.test(text)) return Date.parse(text);
	const [, seconds, milliseconds = '000'] = EPOCH.exec(text) ?? [];
	return Number(`${seconds}${milliseconds}`);
}

/**
 * Writes a time in ISO 8601, in UTC, to the second: `2026-03-02T09:30:00Z`. It can have a zone, or be a number
 * of seconds. A time without a zone is UTC (assumed: time-zone). A value that is no time stays as it is.
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
