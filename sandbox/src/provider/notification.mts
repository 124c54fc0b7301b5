import type { Assumptions } from '../contract/assumptions.mts';
import { providerRecord } from './record.mts';
import type { Fields } from './values.mts';

/**
 * The body of a webhook as the provider sends it (assumption: webhook-payload).
 *
 * @param body as the contract has it
 * @param isStart whether the call has only begun (assumption: webhook-events)
 */
export function providerNotification(
	body: object,
	isStart: boolean,
	assumptions: Assumptions,
): Fields {
	const call = { ...body, ...(isStart && { finished_at: null }) };
	const notification = providerRecord('notification', call, assumptions);
	return assumptions['webhook-payload'] === 'plain'
		? notification
		: { event: isStart ? 'call.started' : 'call.completed', data: notification };
}
