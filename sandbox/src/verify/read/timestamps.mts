import { DateTime } from 'luxon';

/** How a time is written. */
export type TimestampForm =
	'plain' | 'iso' | 'rails' | 'mail' | 'unix' | 'unix-fraction' | 'milliseconds' | 'other';

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
const MAIL = /^[A-Z]\w\w, \d\d? [A-Z]\w\w \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})$/;
const RAILS = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/;
const EPOCH = /^\d{10}(\d{3})?(\.\d+)?$/;

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
	const rails = RAILS.exec(text);
	if (rails) {
		return { form: 'rails', at: Date.parse(`${rails[1]}T${rails[2]}Z`), offset: 0, day: rails[1] };
	}
	if (MAIL.test(text)) {
		const mail = DateTime.fromRFC2822(text, { setZone: true });
		return {
			form: 'mail',
			at: mail.toMillis(),
			offset: mail.offset,
			day: mail.toFormat('yyyy-MM-dd'),
		};
	}
	const epoch = EPOCH.exec(text);
	if (epoch?.[1] !== undefined) return { form: 'milliseconds', at: Number(text) };
	if (epoch) return { form: epoch[2] ? 'unix-fraction' : 'unix', at: Number(text) * 1000 };
	return { form: 'other', at: NaN };
}
