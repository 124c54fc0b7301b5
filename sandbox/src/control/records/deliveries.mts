import * as z from 'zod';

import { hideInUrl } from '../../base/secrets.mts';
import { WEBHOOK_EVENTS } from '../../faults/deliveryFaults.mts';
import { shownFault } from '../../faults/faults.mts';
import type { SandboxEngine } from '../../runtime/engine.mts';
import type { Delivery } from '../../store/records.mts';
import { id, iso, names, type RecordKind } from './recordKind.mts';

const common = (delivery: Delivery, { state }: SandboxEngine) => ({
	id: delivery.id,
	event: delivery.event,
	call_id: delivery.call_id,
	assistant_id: delivery.assistant_id,
	assistant_name: names(state).assistant(delivery.assistant_id),
	url: hideInUrl(delivery.url),
	state: delivery.state,
	next_attempt_at: delivery.state === 'pending' ? iso(delivery.next_attempt_at) : null,
});

/** Webhooks that were delivered, or are to be. */
export const deliveries: RecordKind<Delivery> = {
	name: 'delivery',
	table: (state) => state.deliveries,
	filters: {
		state: z.enum(['pending', 'delivered', 'failed', 'cancelled']),
		event: z.enum(WEBHOOK_EVENTS),
		call_id: id,
		assistant_id: id,
	},
	searched: ['url'],
	brief(delivery, engine) {
		const last = delivery.attempts.at(-1);
		return {
			...common(delivery, engine),
			attempt_count: delivery.attempts.length,
			last_attempt_at: last?.at ?? null,
			status: last?.status ?? null,
			error: last?.error ?? null,
		};
	},
	whole: (delivery, engine, withSecrets) => ({
		...common(delivery, engine),
		...(withSecrets && { url: delivery.url }),
		body: delivery.body,
		attempts: delivery.attempts,
		fault_rule: delivery.fault_rule ? shownFault(delivery.fault_rule) : null,
	}),
};
