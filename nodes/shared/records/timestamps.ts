import type { IDataObject } from 'n8n-workflow';

type Value = IDataObject[string];

/** Date and time in ISO 8601 with a zone: `2026-03-02T09:30:00Z`. */
const ZONED = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Since 1970: seconds, or milliseconds with three digits more. */
const EPOCH = /^\d{10}(\d{3})?$/;

function toMilliseconds(value: Value): number {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	if (ZONED.test(text)) return Date.parse(text.replace(' ', 'T'));
	const [epoch, milliseconds] = EPOCH.exec(text) ?? [];
	return Number(epoch ?? NaN) * (milliseconds === undefined ? 1000 : 1);
}

/**
 * Writes a time as the contract does, `YYYY-MM-DD HH:MM:SS` in UTC (assumed: time-zone), if it is in ISO 8601
 * with a zone, or a number of seconds. A time without a zone stays as it is.
 */
export function toTimestamp(value: Value): Value {
	const ms = toMilliseconds(value);
	return Number.isNaN(ms) ? value : new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
