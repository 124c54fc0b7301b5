import { isRecord } from '../values/json';

/** A date of Luxon or JavaScript, as expressions give them. */
const isDate = (value: unknown): value is Date =>
	typeof value === 'object' && value !== null && 'toJSON' in value;

/**
 * Writes each date in a value as ISO text, so that all fields treat all dates alike. n8n does so with the
 * dates of Luxon, but not with those of JavaScript (n8n.md#dates).
 *
 * @param value of a field; lists and objects can hold dates too
 * @returns a date that is none is the text `Invalid Date` or `Invalid DateTime`
 */
export function datesAsText(value: unknown): unknown {
	if (isDate(value)) {
		const text: string | null = value.toJSON();
		return text ?? String(value);
	}
	if (Array.isArray(value)) return value.map(datesAsText);
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, datesAsText(each)]));
}

/** A day, or a time as ISO 8601 has it. Databases write a space for the T. */
const ISO_DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** The day of a date, in the time zone in which it is written; undefined when it is no date. */
export function toDay(value: unknown): string | undefined {
	const day = ISO_DATE.exec(String(datesAsText(value)).trim())?.[1];
	return day && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ? day : undefined;
}
