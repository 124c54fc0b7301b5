import { Stop } from './stop.mts';

/** How long a request waits at most. */
const MAX_WAIT_MS = 90_000;
/** The wait after a 429 that names none. */
const UNNAMED_WAIT_MS = 10_000;

/**
 * The milliseconds to wait after a 429, which names them in seconds or as a date.
 *
 * @throws {Stop} when it names a longer wait
 */
export function waitAfter({ headers }: { headers: Headers }): number {
	const named = headers.get('retry-after') ?? '';
	const until = Date.parse(named) - Date.parse(headers.get('date') ?? '');
	const span = /^\d+$/.test(named) ? Number(named) * 1000 : until;
	if (Number.isNaN(span)) return UNNAMED_WAIT_MS;
	if (span <= MAX_WAIT_MS) return Math.max(0, span);
	throw new Stop('The service asks for a pause of more than 90 seconds. Try again later.');
}
