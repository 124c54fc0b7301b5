import type { Assumptions } from '../contract/assumptions.mts';
import type { Delivery } from '../store/records.mts';
import { providerRecord } from './record.mts';
import type { Fields } from './values.mts';

/** The body of a webhook as the provider sends it (assumptions: webhook-payload, webhook-events). */
export function sentBody(
	{ body, is_start: isStart = false }: Pick<Delivery, 'body' | 'is_start'>,
	assumptions: Assumptions,
): Fields {
	const call = { ...body, ...(isStart && { finished_at: null }) };
	const notification = providerRecord('notification', call, assumptions);
	return assumptions['webhook-payload'] === 'plain'
		? notification
		: { event: isStart ? 'call.started' : 'call.completed', data: notification };
}
