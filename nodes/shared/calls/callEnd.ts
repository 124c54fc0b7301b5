import type { IDataObject } from 'n8n-workflow';

import { isFinalStatus, isOpenStatus } from './outcome';

const isTime = (value: unknown): boolean => typeof value === 'string' && Date.parse(value) > 0;

/**
 * Tells whether a call is over. The time of its end says it first, then its status. Where the contract does
 * not know the status, a call that has a duration is over (docs/decisions/0024).
 *
 * @param call in the shape of `normaliseCall`
 * @returns undefined when nothing tells it
 */
export function isOver(call: IDataObject): boolean | undefined {
	const { status, duration, finished_at: finishedAt } = call;
	if (isTime(finishedAt)) return true;
	if (isOpenStatus(status)) return false;
	return isFinalStatus(status) || Number(duration) > 0 ? true : undefined;
}

/**
 * Tells whether a delivery comes before the end of its call: some services also report the start. Where
 * nothing tells it, only a delivery that says itself that the call has no end yet is early, so that no
 * finished call is lost (docs/decisions/0024).
 *
 * @param call in the shape of `normaliseCall`
 * @param isBeginning whether the event says that the call begins
 */
export const isEarly = (call: IDataObject, isBeginning = false): boolean =>
	!(isOver(call) ?? (call.finished_at !== null && !isBeginning));
