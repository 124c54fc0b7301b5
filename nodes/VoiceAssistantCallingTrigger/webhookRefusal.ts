import type { IHookFunctions } from 'n8n-workflow';

import { isTest, webhookUrl } from '../shared/webhook/triggerContext';
import { assistantNotFound } from '../shared/webhook/sharedTexts';
import * as messages from './webhookMessages';
import type { WebhookState } from './readWebhookState';

/** What the messages about a registration name. */
export const messageValues = (context: IHookFunctions, state: WebhookState) => ({
	...state,
	webhookUrl: webhookUrl(context),
});

/** The message when the trigger must not be registered, or undefined. Nothing was changed yet. */
export function webhookRefusal(context: IHookFunctions, state: WebhookState): string | undefined {
	const { assistantId, assistant, registration, owner } = state;
	if (!assistant) return assistantNotFound(assistantId);
	const values = messageValues(context, state);
	if (owner === 'foreign') {
		if (isTest(context)) return messages.urlTakenInTest(values);
		return state.replacesExisting ? undefined : messages.urlTaken(values);
	}
	if (owner === 'unknown') {
		if (isTest(context)) return messages.urlUnknownInTest(values);
		return state.replacesExisting ? undefined : messages.urlUnknown(values);
	}
	// In production, `ours-in-other-mode` is a test URL that was left behind. It may be replaced.
	const isLive = isTest(context) && owner === 'ours-in-other-mode' && registration.isActive;
	return isLive ? messages.webhookListeningRefused(values) : undefined;
}
