/**
 * How a time is written. The nodes read `plain`, `iso`, `unix` (seconds) and `milliseconds`. The sandbox has
 * the first three of them.
 */
export type TimestampForm = 'plain' | 'iso' | 'unix' | 'milliseconds' | 'other';

export interface Timestamp {
	form: TimestampForm;
	/** In milliseconds since 1970; a time without zone is read as UTC. NaN if it cannot be read. */
	at: number;
	/** The offset that it names, in minutes. */
	offset?: number;
	/** The day that it names, `YYYY-MM-DD`; undefined with a number. */
	day?: string;
}

const PLAIN = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const ISO = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(?:(Z)|([+-])(\d\d):?(\d\d))?$/;
const EPOCH = /^\d{10}(\d{3})?$/;

/** Reads a time of a record, in any form. */
export function readTimestamp(value: unknown): Timestamp {
	const text = String(value);
	if (PLAIN.test(text)) {
		return { form: 'plain', at: Date.parse(`${text.replace(' ', 'T')}Z`), day: text.slice(0, 10) };
	}
	const [, day, time, utc, sign, hours = '00', minutes = '00'] = ISO.exec(text) ?? [];
	if (day !== undefined) {
		const at = Date.parse(`${day}T${time}${sign ?? '+'}${hours}:${minutes}`);
		if (utc === undefined && sign === undefined) return { form: 'iso', at, day };
		const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
		return { form: 'iso', at, offset, day };
	}
	const epoch = EPOCH.exec(text);
	if (epoch?.[1] !== undefined) return { form: 'milliseconds', at: Number(text) };
	if (epoch) return { form: 'unix', at: Number(text) * 1000 };
	return { form: 'other', at: NaN };
}
