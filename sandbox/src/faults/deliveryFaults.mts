import * as z from 'zod';

import { durationText, milliseconds } from '../base/duration.mts';
import { limits, requireEffect } from './ruleSet.mts';

export const WEBHOOK_EVENTS = ['postCall', 'inboundCall'] as const;

/** The most duplicates and repetitions of one webhook. */
const MAX_ATTEMPTS = 100;

/** A rule about webhooks. All times are sandbox time. */
export const deliveryRule = z
	.object({
		target: z.literal('deliveries').describe('A rule about webhooks.'),
		event: z.enum(WEBHOOK_EVENTS).optional().describe('Only webhooks of this event.'),
		assistant_id: z.number().int().min(1).optional().describe('Only those of this assistant.'),
		duplicate: z
			.number()
			.int()
			.min(1)
			.max(MAX_ATTEMPTS)
			.optional()
			.describe('How often the webhook is sent again although it was delivered.'),
		delay: durationText
			.refine((span) => milliseconds(span) > 0, 'This is no delay.')
			.optional()
			.describe('By how much the webhook comes later (ISO 8601).'),
		retry: z
			.array(durationText)
			.min(1)
			.max(MAX_ATTEMPTS)
			.optional()
			.describe(
				'After which time a webhook that fails is sent again, for each attempt (ISO 8601).',
			),
		...limits,
	})
	.strict()
	.superRefine((rule, context) =>
		requireEffect(rule, ['duplicate', 'delay', 'retry'], context, 'A fault of deliveries'),
	);

export type DeliveryRule = z.output<typeof deliveryRule>;

export type DeliveryTraits = Required<Pick<DeliveryRule, 'event' | 'assistant_id'>>;

/** Whether a rule is about a webhook. */
export const matchesDelivery = (
	{ event, assistant_id: assistantId }: DeliveryRule,
	delivery: DeliveryTraits,
): boolean =>
	(event === undefined || event === delivery.event) &&
	(assistantId === undefined || assistantId === delivery.assistant_id);
