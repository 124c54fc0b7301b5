import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { asText } from '../json';
import { CREDENTIAL } from '../serviceRequest';
import { deriveToken } from './token';

export type WebhookTriggerContext = IHookFunctions | IWebhookFunctions;

/**
 * What a trigger registers, and where: for example the event and the assistant. A delivery names
 * neither, so registrations for two purposes have different tokens.
 */
export type Purpose = readonly string[];

/** Which trigger this is, and for what. Each copy of a workflow is another trigger. */
export interface TriggerIdentity {
	instanceId: string;
	workflowId: string;
	nodeId: string;
	purpose: Purpose;
}

/** Reads no parameter and no credential: it costs nothing when a delivery arrives. */
export const identityOf = (context: WebhookTriggerContext, purpose: Purpose): TriggerIdentity => ({
	instanceId: context.getInstanceId(),
	workflowId: asText(context.getWorkflow().id),
	nodeId: context.getNode().id,
	purpose,
});

/** The URL of the trigger's webhook: the test URL in the hooks of a test, else the production URL. */
export const webhookUrl = (context: WebhookTriggerContext): string =>
	context.getNodeWebhookUrl('default') ?? '';

/**
 * Derives the token that the trigger registers with now.
 *
 * @throws what n8n throws when the credential cannot be read
 */
export async function ownToken(context: WebhookTriggerContext, purpose: Purpose): Promise<string> {
	const { apiToken } = await context.getCredentials(CREDENTIAL);
	const { origin } = new URL(webhookUrl(context));
	return deriveToken(asText(apiToken), identityOf(context, purpose), origin);
}
