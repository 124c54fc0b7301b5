import {
	asAssumed,
	differs,
	notChecked,
	readCheck,
	type Certainty,
	type Finding,
} from '../check.mts';
import { callList, CALLS_PATH } from './lists.mts';
import { readPage, type Page } from './page.mts';
import { readTimestamp, type Timestamp } from './timestamps.mts';
import type { Run } from '../run.mts';

const HOUR = 3_600_000;
const QUARTER = HOUR / 4;
const EXPECTED = 'UTC';
const DAYS = 'The dates of Call → Get Many are days of this time zone.';
/** With times that name a zone, or none at all because they count from 1970. */
const ADVICE = `The nodes give the times of calls in UTC. ${DAYS}`;
/** A time is taken for that of a call which has just begun, if it is that near. */
const JUST_NOW = 10 * 60_000;
/** All offsets that there are, in hours. */
const OFFSETS = Array.from({ length: 27 }, (_, index) => index - 12);

const timeZone = readCheck('time-zone', EXPECTED, async (run) => {
	const { page, size } = await callList(run);
	const times = page.rows.map(({ created_at: at }) => readTimestamp(at));
	const [first] = times;
	if (!first) return notChecked(EXPECTED, 'The account has no calls.');
	if (first.offset !== undefined) return fromOffset(first.offset / 60, 'certain');
	if (first.day !== undefined) return fromNewest(run, times, size);
	return fromFilter(run, page, times, size);
});

/** A zone has the offset in its name; the names count the other way round. */
function fromOffset(hours: number, certainty: Certainty): Finding {
	if (hours === 0) return asAssumed(EXPECTED, EXPECTED, certainty);
	const sign = hours > 0 ? '-' : '+';
	return differs(EXPECTED, `${hours > 0 ? '+' : '-'}${Math.abs(hours)} hours from UTC`, {
		certainty,
		...(Number.isInteger(hours) && { value: `Etc/GMT${sign}${Math.abs(hours)}` }),
		advice: ADVICE,
	});
}

/**
 * A time without zone that lies in the future is ahead of UTC by at least as much. It is a hint: nobody
 * knows how old the call is.
 */
async function fromNewest(run: Run, times: Timestamp[], size: number): Promise<Finding> {
	const { headers } = await run.client.get(CALLS_PATH, { per_page: size });
	const ahead = Math.max(...times.map(({ at }) => at)) - Date.parse(headers.get('date') ?? '');
	const quarters = Math.ceil((ahead - JUST_NOW) / QUARTER);
	if (ahead > JUST_NOW) {
		return differs(EXPECTED, `at least ${quarters / 4} hours ahead of UTC`, {
			certainty: 'a hint',
			advice: `The times of calls are in the time zone of the service: convert them in the workflow. ${DAYS} Add \`time-zone\` with the name of the zone to provider.yaml.`,
		});
	}
	if (ahead > -JUST_NOW) return asAssumed(EXPECTED, 'the newest time is that of now', 'a hint');
	return notChecked(EXPECTED, 'It shows within ten minutes after a call.');
}

/** Times since 1970 have no zone, but the filter by date does. */
async function fromFilter(run: Run, { rows }: Page, times: Timestamp[], size: number) {
	const middle = times[Math.floor(times.length / 2)]?.at ?? NaN;
	if (Number.isNaN(middle)) return notChecked(EXPECTED, 'The timestamps cannot be read.');
	const day = new Date(middle).toISOString().slice(0, 10);
	const query = { per_page: size, date_from: day, date_to: day };
	const found = readPage(await run.client.get(CALLS_PATH, query));
	if (!found) return notChecked(EXPECTED, 'The filter by date is refused.');
	const ids = new Set(found.rows.map(({ id }) => id));
	// A full page says nothing of the calls behind its last one.
	const isFull = found.rows.length >= rows.length;
	const last = isFull ? rows.findLastIndex(({ id }) => ids.has(id)) : rows.length - 1;
	const start = Date.parse(day);
	const possible = OFFSETS.filter((hours) =>
		rows.slice(0, last + 1).every(({ id }, index) => {
			const local = (times[index]?.at ?? NaN) + hours * HOUR - start;
			return ids.has(id) === (local >= 0 && local < 24 * HOUR);
		}),
	);
	if (possible.length === 1) return fromOffset(possible[0] ?? 0, 'likely');
	if (possible.includes(0))
		return asAssumed(EXPECTED, 'the calls fit UTC, and other zones too', 'a hint');
	if (possible.length === 0) return notChecked(EXPECTED, 'The filter by date fits no time zone.');
	return differs(EXPECTED, `${possible[0]} to ${possible.at(-1)} hours from UTC`, {
		certainty: 'likely',
		advice: ADVICE,
	});
}

export const TIME_ZONE_CHECKS = [timeZone];
