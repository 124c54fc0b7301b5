/** How a time is written. `other` is a form that neither the sandbox nor the nodes know. */
export type TimestampForm = 'plain' | 'iso' | 'unix' | 'other';

export interface Timestamp {
	form: TimestampForm;
	/** In milliseconds since 1970; a time without zone is read as UTC. NaN if it cannot be read. */
	at: number;
	/** The offset that it names, in minutes. */
	offset?: number;
	/** The day that it names, `YYYY-MM-DD`; undefined with `unix`. */
	day?: string;
}

const PLAIN = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|([+-])(\d\d):?(\d\d))$/;
const SECONDS = /^\d{9,11}$/;

/** Reads a time of a record, in any form. */
export function readTimestamp(value: unknown): Timestamp {
	const text = String(value);
	if (PLAIN.test(text)) {
		return { form: 'plain', at: Date.parse(`${text.replace(' ', 'T')}Z`), day: text.slice(0, 10) };
	}
	const iso = ISO.exec(text);
	if (iso) {
		const [, sign, hours = 0, minutes = 0] = iso;
		const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
		return { form: 'iso', at: Date.parse(text), offset, day: text.slice(0, 10) };
	}
	if (SECONDS.test(text)) return { form: 'unix', at: Number(text) * 1000 };
	return { form: 'other', at: NaN };
}
