import type { ListedCall } from './listedCall';

/** No call lasts longer: the longest one has 20 minutes (contract: max_call_duration). */
export const UNKNOWN_STATUS_MS = 3_600_000;

/** How long a call has been as it is, by n8n's clock, because that of the service may be in another zone. */
export interface Wait {
	/** That it is over, or its status. */
	phase: string;
	/** When a poll first saw the call in this phase. */
	since: number;
	/** The call was in this phase at the first poll, so it may have finished before. */
	isFromFirstPoll: boolean;
}

/** How a call waits after a poll. In another phase, the time begins again. @param wait before the poll */
export function nextWait(
	wait: Wait | undefined,
	{ status, isOver }: ListedCall,
	isFromFirstPoll: boolean,
	now: number,
): Wait {
	const phase = isOver ? 'over' : `status ${status}`;
	if (wait?.phase !== phase) return { phase, since: now, isFromFirstPoll };
	// n8n's clock may have gone back.
	return { phase, since: Math.min(wait.since, now), isFromFirstPoll: wait.isFromFirstPoll };
}

/**
 * Whether a call has waited long enough. If nothing tells whether it is over, it counts as over after an hour
 * in one status (docs/decisions/0024).
 *
 * @param waitAfterEndMs how long a call that is over waits, because the service adds to its record
 */
export function hasWaited(
	{ isOver }: ListedCall,
	{ since }: Wait,
	waitAfterEndMs: number,
	now: number,
): boolean {
	return isOver ? now - since >= waitAfterEndMs : now - since > UNKNOWN_STATUS_MS;
}
