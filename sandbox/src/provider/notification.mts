import type { Assumptions } from '../contract/assumptions.mts';
import type { Delivery } from '../store/records.mts';
import { providerRecord } from './record.mts';
import type { Fields } from './values.mts';

/** The body of a webhook as the provider sends it (assumptions: webhook-payload, webhook-events). */
export function sentBody(
	{ body, is_start: isStart = false }: Pick<Delivery, 'body' | 'is_start'>,
	assumptions: Assumptions,
): Fields | Fields[] {
	const call = { ...body, ...(isStart && { finished_at: null }) };
	const notification = providerRecord('notification', call, assumptions);
	const event = isStart ? 'call.started' : 'call.completed';
	switch (assumptions['webhook-payload']) {
		case 'plain':
			return notification;
		case 'in-data':
			return { event, data: notification };
		case 'in-result':
			return { event, result: notification };
		case 'in-call':
			return { event, call: notification };
		case 'in-attributes': {
			const { id, ...attributes } = notification;
			return { event, data: { type: 'call', id, attributes } };
		}
		case 'in-list':
			return [notification];
	}
}
