import { DateTime } from 'luxon';

/** `YYYY-MM-DD HH:MM:SS`, as in lead, call and SMS records. Takes milliseconds since 1970. */
export const plainTime = (time: number, timeZone: string): string =>
	DateTime.fromMillis(time, { zone: timeZone }).toFormat('yyyy-MM-dd HH:mm:ss');

/** ISO 8601 with microseconds and `Z`, as in assistant and tool records. */
export const preciseTime = (time: number): string =>
	new Date(time).toISOString().replace('Z', '000Z');

/** ISO 8601 to the second, as in webhook payloads. */
export const isoTime = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** The first moment of a `YYYY-MM-DD` day, or of the day after, in milliseconds since 1970. */
export const startOfDay = (day: string, timeZone: string, daysLater: 0 | 1 = 0): number =>
	DateTime.fromISO(day, { zone: timeZone }).plus({ days: daysLater }).toMillis();

/**
 * The times that the sandbox can have, in milliseconds since 1970. The contract writes years with four
 * digits, and the sandbox derives times that are some days later.
 */
const FIRST_TIME = 0;
export const LAST_TIME = Date.parse('9999-12-01T00:00:00Z');

/** {@link FIRST_TIME} and {@link LAST_TIME}, for messages. */
export const ALL_TIMES = 'from 1970-01-01 to 9999-12-01';

/** Whether the sandbox can have this time. */
export const isPossibleTime = (time: number): boolean => time >= FIRST_TIME && time <= LAST_TIME;

const readTime = (text: string, timeZone = 'UTC'): DateTime =>
	DateTime.fromISO(text.replace(' ', 'T'), { zone: timeZone });

/** Whether a text is `YYYY-MM-DD HH:MM:SS` or an ISO 8601 time, and possible. */
export const isTime = (text: string): boolean => isPossibleTime(readTime(text).toMillis());

/** Milliseconds since 1970 of a text that {@link isTime} accepts. The zone is for one without. */
export const parseTime = (text: string, timeZone: string): number =>
	readTime(text, timeZone).toMillis();
