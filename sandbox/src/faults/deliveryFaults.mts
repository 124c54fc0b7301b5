import type { Key, RuleLimits } from './ruleSet.mts';

/** The webhooks of the service. */
export const WEBHOOK_EVENTS = ['postCall', 'inboundCall'] as const;

/** A rule about webhooks, as POST /__sandbox/faults takes it. All times are sandbox time, ISO 8601. */
export interface DeliveryRule extends RuleLimits {
	target: 'deliveries';
	event?: (typeof WEBHOOK_EVENTS)[number] | undefined;
	assistant_id?: number | undefined;
	/** How many more times a webhook is sent after the receiver accepted it. */
	duplicate?: number | undefined;
	/** How much later the webhook is sent for the first time. */
	delay?: string | undefined;
	/** The waits before each repetition of a failed webhook. */
	retry?: string[] | undefined;
}

/** What a rule can tell a webhook by. */
export interface DeliveryTraits {
	event: (typeof WEBHOOK_EVENTS)[number];
	assistant_id: number;
}

/** How rules choose webhooks. */
export const deliverySelection = {
	matcher:
		({ event, assistant_id: assistantId }: DeliveryRule) =>
		(delivery: DeliveryTraits): boolean =>
			(event === undefined || event === delivery.event) &&
			(assistantId === undefined || assistantId === delivery.assistant_id),
	keyOf: ({ assistant_id: id }: DeliveryRule): Key<DeliveryTraits> =>
		id === undefined
			? { feature: 'everything', read: () => 'true', value: 'true' }
			: {
					feature: 'assistant',
					read: (delivery) => String(delivery.assistant_id),
					value: String(id),
				},
};
