import { DateTime } from 'luxon';

import type { Change } from './example.mts';

/** The zones from UTC-11 to UTC+12. The sign in their names is the opposite of the usual one. */
const ZONES = Array.from({ length: 24 }, (_, index) => {
	const offset = index - 11;
	return offset > 0 ? `Etc/GMT-${offset}` : `Etc/GMT+${-offset}`;
});

/** A time zone in which it is this hour of the day at that time, and for the rest of the hour. */
export function zoneWhereItIs(hour: number, time = DateTime.now()): string {
	const zone = ZONES.find((each) => time.setZone(each).hour === hour);
	if (zone === undefined) throw new Error(`It is ${hour} o'clock nowhere.`);
	return zone;
}

/** Gives the workflow this time zone, as its settings do. */
export const withTimeZone =
	(timezone: string): Change =>
	(workflow) => ({ ...workflow, settings: { ...workflow.settings, timezone } });
