import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { asText } from '../shared/client/json';
import { CREDENTIAL } from '../shared/client/credential';
import { deriveToken } from './token';

type Context = IHookFunctions | IWebhookFunctions;

/** The address of the trigger's webhook: the test one in the hooks of a test, else production's. */
export const webhookUrl = (context: Context): string => context.getNodeWebhookUrl('default') ?? '';

/** An assistant that the trigger has left may still deliver, so the assistant and the event belong here. */
const placeOf = (context: Context) => ({
	instanceId: context.getInstanceId(),
	workflowId: asText(context.getWorkflow().id),
	nodeId: context.getNode().id,
	event: asText(context.getNodeParameter('triggerOn')),
	assistantId: asText(context.getNodeParameter('assistantId', '', { extractValue: true })),
});

/** The token that this trigger registers with, derived anew from what it is. */
export async function ownToken(context: Context): Promise<string> {
	const { apiToken } = await context.getCredentials(CREDENTIAL);
	const { origin } = new URL(webhookUrl(context));
	return deriveToken(asText(apiToken), { ...placeOf(context), origin });
}

/** Static data can travel with a copy (n8n 2.0, 2.41: export:workflow, public API): it says whose it is. */
const holder = (context: Context) => Object.values(placeOf(context)).join(' ');

/**
 * The token that this trigger registered last, empty where there is none. It is kept, so that a new API
 * token cuts no delivery; n8n keeps none in tests and after a rename (n8n 2.0, 2.41).
 */
export function registeredToken(context: Context): string {
	const kept = context.getWorkflowStaticData('node');
	return kept.holder === holder(context) ? asText(kept.token) : '';
}

/** Keeps the token that is registered now. */
export function keepToken(context: IHookFunctions, token: string): void {
	Object.assign(context.getWorkflowStaticData('node'), { token, holder: holder(context) });
}

/** Forgets the token when it is registered no longer. */
export function forgetToken(context: IHookFunctions): void {
	const kept = context.getWorkflowStaticData('node');
	delete kept.token;
	delete kept.holder;
}
