import type { PauseReason } from './accountPace';
import type { ItemOutcome } from './runItems';

const INTERVAL_MS = 5_000;

/**
 * Reports how far a run is while items are left. A run shorter than five seconds reports nothing. There is no timer: the time is
 * looked at when an item ends.
 *
 * @param count number of items
 * @param report gets a line every five seconds at most
 * @returns a function to call when an item has ended
 */
export function progress(
	count: number,
	report: (line: string) => void,
): (ended: ItemOutcome) => void {
	let done = 0;
	let failed = 0;
	let reportedAt = Date.now();
	return (ended) => {
		done++;
		if (ended && 'error' in ended) failed++;
		const now = Date.now();
		if (now - reportedAt < INTERVAL_MS || done === count) return;
		reportedAt = now;
		const failures = failed > 0 ? `, ${failed} of them failed` : '';
		report(`${done} of ${count} items done${failures}`);
	};
}

const REASONS: Record<PauseReason, string> = {
	'rate limit': 'the service received too many requests',
	maintenance: 'the service is not available',
};

/**
 * Reports a long wait of a run.
 *
 * @param report gets a line for each wait
 */
export const reportLongWait =
	(report: (line: string) => void) =>
	(ms: number, reason: PauseReason): void =>
		report(`The run waits ${Math.ceil(ms / 1_000)} s, because ${REASONS[reason]}`);
