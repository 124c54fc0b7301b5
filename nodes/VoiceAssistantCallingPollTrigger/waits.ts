import type { ListedCall } from './listedCall';

/** No call lasts longer: the longest one has 20 minutes (contract: max_call_duration). */
export const MAX_WAIT_MS = 3_600_000;

/**
 * A call of which nothing tells whether it is over. It counts as over after an hour in one status
 * (docs/decisions/0024). The hour is one of n8n's clock, because that of the service may be in another zone.
 */
export interface Wait {
	status: string;
	/** When a poll first saw the call in this status, by n8n's clock. */
	since: number;
	/** The call was in this status at the first poll, so it may have finished before. */
	isFromFirstPoll: boolean;
}

/**
 * How a call waits after a poll. Another status shows that the call was not over, so its hour begins again.
 *
 * @param wait as it was before the poll; undefined when the call did not wait
 */
export function nextWait(
	wait: Wait | undefined,
	{ status }: ListedCall,
	isFromFirstPoll: boolean,
	now: number,
): Wait {
	if (wait?.status !== status) return { status, since: now, isFromFirstPoll };
	// n8n's clock may have gone back.
	return wait.since > now ? { ...wait, since: now } : wait;
}
