import type { IDataObject } from 'n8n-workflow';

import { getOutcome } from '../../../shared/calls/outcome';
import { toIsoTime } from '../../../shared/records/timestamps';
import { asText } from '../../../shared/values/json';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after a call its recording may come (assumed: the contract does not say when it is there). */
const MAX_DELAY_MS = 5 * MINUTE_MS;

/** By how much n8n's clock may be behind the service's. */
const CLOCK_DIFFERENCE_MS = 2 * MINUTE_MS;

/** Time zones differ by whole quarters of an hour, and reach from UTC−12 to UTC+14. */
const ZONE_STEP_MS = 15 * MINUTE_MS;
const MAX_BEHIND_UTC_MS = 12 * HOUR_MS;
const MAX_AHEAD_OF_UTC_MS = 14 * HOUR_MS;

const NOT_ANSWERED = new Set(['no-answer', 'busy', 'failed']);

const toMilliseconds = (time: IDataObject[string]): number => Date.parse(asText(toIsoTime(time)));

/** When a record of a call was last changed, or its call ended, as far as its times show. */
function lastTime({ created_at: createdAt, updated_at: updatedAt, duration }: IDataObject): number {
	const endedAt = toMilliseconds(createdAt) + 1000 * (Number(duration) || 0);
	return Math.max(...[endedAt, toMilliseconds(updatedAt)].filter((time) => !Number.isNaN(time)));
}

/**
 * Until when the recording of a call may still be on its way. The times of a record name no zone, and need
 * not be UTC. So a call counts as young when it is in any time zone: the time since its end is less than five
 * minutes, apart from the quarters of an hour by which zones differ (docs/decisions/0009).
 *
 * @param now in milliseconds since 1970
 * @returns in milliseconds since 1970; not above `now` when the call is old, was not answered, or has no time
 */
export function recordingExpectedUntil(call: IDataObject, now: number): number {
	const ageMs = now - lastTime(call) + CLOCK_DIFFERENCE_MS;
	const youngMs = CLOCK_DIFFERENCE_MS + MAX_DELAY_MS;
	const isInSomeZone = ageMs >= -MAX_AHEAD_OF_UTC_MS && ageMs < MAX_BEHIND_UTC_MS + youngMs;
	if (!isInSomeZone || NOT_ANSWERED.has(getOutcome(call))) return 0;
	const shortestAgeMs = (ageMs + MAX_AHEAD_OF_UTC_MS) % ZONE_STEP_MS;
	return now + youngMs - shortestAgeMs;
}
