import type { IDataObject } from 'n8n-workflow';

import { asText } from '../client/json';
import { isFinalStatus, isOpenStatus } from './outcome';

/** No call lasts longer: the longest one has 20 minutes (contract: max_call_duration). */
const LONGEST_CALL_MS = 3_600_000;

const showsEnd = ({ duration, finished_at: finishedAt }: IDataObject): boolean =>
	Number(duration) > 0 || asText(finishedAt) !== '';

/**
 * Tells whether a call of the list is over. Where the contract does not know its status, the call is over
 * when it has a duration, and an hour after it was created, so that no call waits for ever
 * (docs/decisions/0024).
 *
 * @param call in the shape of `normaliseCall`
 * @param now by n8n's clock, in milliseconds since 1970
 */
export function isOver(call: IDataObject, now: number): boolean {
	const { status, created_at: createdAt } = call;
	if (isOpenStatus(status) || isFinalStatus(status)) return !isOpenStatus(status);
	return showsEnd(call) || now - Date.parse(asText(createdAt)) > LONGEST_CALL_MS;
}

/**
 * Tells whether a delivery comes before the end of its call: some services also report the start. Where the
 * contract does not know its status, only a delivery that says itself that the call has no end yet is early,
 * so that no finished call is lost (docs/decisions/0024).
 *
 * @param call in the shape of `normaliseCall`
 */
export function isEarly(call: IDataObject): boolean {
	const { status, finished_at: finishedAt } = call;
	if (isOpenStatus(status) || isFinalStatus(status)) return isOpenStatus(status);
	return finishedAt === null && !showsEnd(call);
}
