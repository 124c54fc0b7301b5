import type { ListedCall } from './listedCall';

/** A call that is not handed out yet. */
export interface OpenCall {
	createdAt: number;
	/** That it is over, or its status. */
	phase: string;
	/** When a poll first saw it in this phase, by n8n's clock: that of the service may be in another zone. */
	since: number;
	/** It was in this phase at the first poll, so it may have finished before. */
	isFromFirstPoll: boolean;
}

/** What is known of a call after a poll. In another phase, its time begins again. */
export function nextOpenCall(
	before: OpenCall | undefined,
	{ createdAt, status, isOver }: ListedCall,
	isFromFirstPoll: boolean,
	now: number,
): OpenCall {
	const phase = isOver ? 'over' : `status ${status}`;
	if (before?.phase !== phase) return { createdAt, phase, since: now, isFromFirstPoll };
	// n8n's clock may have gone back.
	return { ...before, since: Math.min(before.since, now) };
}
