import { DateTime } from 'luxon';

import { InvalidInput } from '../base/invalidInput.mts';

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
 * Milliseconds since 1970 of `YYYY-MM-DD HH:MM:SS` in the zone, or of an ISO 8601 time.
 * @throws {InvalidInput} in words, when the text is neither
 */
export function parseTime(text: string, timeZone: string): number {
	const time = DateTime.fromISO(text.replace(' ', 'T'), { zone: timeZone });
	if (!time.isValid) {
		throw new InvalidInput(`"${text}" is not a time. Write it as in "2030-01-31 12:00:00".`);
	}
	return time.toMillis();
}
