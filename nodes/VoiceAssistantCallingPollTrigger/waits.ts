import type { ListedCall } from './listedCall';

/** No call lasts longer: the longest one has 20 minutes (contract: max_call_duration). */
export const UNKNOWN_STATUS_MS = 3_600_000;

/**
 * A call that is not handed out yet, by n8n's clock, because that of the service may be in another zone:
 * - Nothing tells whether it is over. It counts as over after an hour in one status (docs/decisions/0024).
 * - It is over, and waits as long as the user wants, because the service adds to its record.
 */
export interface Wait {
	/** Empty when the call is over: then its status does not matter any more. */
	status: string;
	/** When a poll first saw the call in this status, or over. */
	since: number;
	/** The call was in this status at the first poll, so it may have finished before. */
	isFromFirstPoll: boolean;
	/** Undefined when nothing tells it. */
	isOver?: true;
}

/**
 * How a call waits after a poll. Another status shows that the call was not over, so its hour begins again.
 *
 * @param wait as it was before the poll; undefined when the call did not wait
 */
export function nextWait(
	wait: Wait | undefined,
	{ status, isOver }: ListedCall,
	isFromFirstPoll: boolean,
	now: number,
): Wait {
	if (isOver && !wait?.isOver) return { status: '', since: now, isFromFirstPoll, isOver };
	const isSame = wait && (isOver ?? (wait.status === status && !wait.isOver));
	if (!isSame) return { status, since: now, isFromFirstPoll };
	// n8n's clock may have gone back.
	return wait.since > now ? { ...wait, since: now } : wait;
}
