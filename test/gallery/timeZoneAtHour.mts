/**
 * A time zone in which it is this hour now, so that a check sees day or night without another clock.
 *
 * @param hour from 0 to 23
 */
export function timeZoneAtHour(hour: number): string {
	const ahead = hour - new Date().getUTCHours();
	const offset = ahead < -12 ? ahead + 24 : ahead > 12 ? ahead - 24 : ahead;
	// In these names, what is ahead of UTC has a minus.
	return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}
