import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { asText } from '../shared/json';
import { CREDENTIAL } from '../shared/serviceRequest';
import { deriveToken } from './token';

/** The address of the trigger's webhook: the test one in the hooks of a test, else production's. */
export const webhookUrl = (context: IHookFunctions | IWebhookFunctions): string =>
	context.getNodeWebhookUrl('default') ?? '';

/** The token that this trigger registers with, derived anew from what it is. */
export async function ownToken(context: IHookFunctions | IWebhookFunctions): Promise<string> {
	const { apiToken } = await context.getCredentials(CREDENTIAL);
	return deriveToken(asText(apiToken), {
		instanceId: context.getInstanceId(),
		workflowId: asText(context.getWorkflow().id),
		nodeId: context.getNode().id,
		origin: new URL(webhookUrl(context)).origin,
	});
}

/**
 * The token that was registered last. It is kept, so that a new API token cuts no delivery; n8n
 * keeps none in tests and after a rename (n8n 2.0, 2.41).
 */
export const registeredToken = (context: IHookFunctions | IWebhookFunctions): string =>
	asText(context.getWorkflowStaticData('node').token);
