import { asText } from '../shared/client/json';
import type { WebhookTriggerContext } from '../shared/webhook/identity';
import type { TriggerOn } from './events';

/** The event and the assistant that the trigger is registered for, as entered. */
export const purposeOf = (
	context: WebhookTriggerContext,
): readonly [event: TriggerOn, assistantId: string] => [
	context.getNodeParameter('triggerOn') as TriggerOn,
	asText(context.getNodeParameter('assistantId', '', { extractValue: true })),
];
