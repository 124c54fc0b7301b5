import * as z from 'zod';

import { durationText, milliseconds } from '../base/duration.mts';
import { limits, requireEffect } from './ruleSet.mts';

export const WEBHOOK_EVENTS = ['postCall', 'inboundCall'] as const;

/** The most duplicates and repetitions of one webhook. */
const MAX_ATTEMPTS = 100;

/** A rule about webhooks; sandbox/control.md describes its fields. All times are sandbox time. */
export const deliveryRule = z
	.object({
		target: z.literal('deliveries'),
		event: z.enum(WEBHOOK_EVENTS).optional(),
		assistant_id: z.number().int().min(1).optional(),
		duplicate: z.number().int().min(1).max(MAX_ATTEMPTS).optional(),
		delay: durationText.refine((span) => milliseconds(span) > 0, 'This is no delay.').optional(),
		retry: z.array(durationText).min(1).max(MAX_ATTEMPTS).optional(),
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
