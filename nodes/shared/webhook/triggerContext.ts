import type { IHookFunctions, IPollFunctions, IWebhookFunctions, WebhookType } from 'n8n-workflow';

import { checkBaseUrl, credentialWithoutItem } from '../client/credential';
import { asText } from '../values/json';
import { toHash } from '../values/hash';
import { deriveAccountKey, deriveToken, type Purpose, type TriggerIdentity } from './token';

export type WebhookTriggerContext = IHookFunctions | IWebhookFunctions;

type TriggerContext = WebhookTriggerContext | IPollFunctions;

/** Reads no parameter and no credential, because that would slow down every delivery. */
const getIdentity = (context: TriggerContext, purpose: Purpose): TriggerIdentity => ({
	instanceId: context.getInstanceId(),
	workflowId: asText(context.getWorkflow().id),
	nodeId: context.getNode().id,
	purpose,
});

/** Names the trigger, for data that copies of its workflow must not share. */
export const triggerKey = (context: TriggerContext): string => {
	const { instanceId, workflowId, nodeId } = getIdentity(context, []);
	return [instanceId, workflowId, nodeId].join(' ');
};

/**
 * Names the trigger and what its workflow does. It begins with {@link triggerKey}. n8n 2.41 calls no hook when
 * only other nodes have changed, and a process that only receives webhooks never sees one.
 */
export const workflowKey = (context: IWebhookFunctions): string => {
	const { name, parameters } = context.getNode();
	const nodes = context.getChildNodes(name, { includeNodeParameters: true });
	return `${triggerKey(context)} ${toHash(JSON.stringify([parameters, nodes]))}`;
};

/** The webhook that gets the requests of an event: only the question before a call has one of its own. */
export const webhookOf = (event: unknown): WebhookType =>
	event === 'inboundCallStarting' ? 'setup' : 'default';

/** The webhook that gets the trigger's requests now. */
export const receivingWebhook = (context: WebhookTriggerContext): WebhookType =>
	webhookOf(context.getNodeParameter('triggerOn', ''));

/**
 * The URL of a webhook of the trigger, the one that gets its requests now unless named: the test URL in the hooks
 * of a test, else the production URL.
 *
 * A node without a webhook id, as after an import on the command line, has its name in the path. n8n
 * decodes the path of a delivery, but not the registered path (n8n.md#decoded-path). So a name with a space must
 * be encoded twice.
 */
export const webhookUrl = (
	context: WebhookTriggerContext,
	webhook = receivingWebhook(context),
): string => (context.getNodeWebhookUrl(webhook) ?? '').replaceAll('%', '%25');

/**
 * Derives the token that the trigger registers with.
 *
 * @param origin of n8n's webhook URLs; the present one unless given
 * @throws when the credential cannot be read, see {@link credentialWithoutItem}
 */
export async function ownToken(
	context: WebhookTriggerContext,
	purpose: Purpose,
	{ origin } = new URL(webhookUrl(context)),
): Promise<string> {
	const { apiToken } = await credentialWithoutItem(context);
	return deriveToken(asText(apiToken), getIdentity(context, purpose), origin);
}

/** The Base URL of the credential, which names the service. */
export async function readBaseUrl(context: WebhookTriggerContext): Promise<string> {
	const { baseUrl } = await credentialWithoutItem(context);
	return checkBaseUrl(baseUrl);
}

/** Names the account of the credential, as far as n8n can know it: a new API token gives another name. */
export async function accountKey(context: WebhookTriggerContext): Promise<string> {
	const { apiToken, baseUrl } = await credentialWithoutItem(context);
	return deriveAccountKey(asText(apiToken), checkBaseUrl(baseUrl));
}

/**
 * Derives the token of a trigger of this n8n whose URL is registered, by the ids at the end of its path
 * (docs/decisions/0005).
 */
export function tokenOfUrl(
	context: IHookFunctions,
	apiToken: string,
	{ origin, pathname }: URL,
	purpose: Purpose,
): string {
	const [workflowId = '', nodeId = ''] = pathname.split('/').slice(-2);
	const instanceId = context.getInstanceId();
	return deriveToken(apiToken, { instanceId, workflowId, nodeId, purpose }, origin);
}

/** Whether the user listens for a test event. n8n calls `delete` with another mode (n8n.md#modes-of-hooks). */
export const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';

/**
 * Whether n8n starts, or becomes the leader. Then it activates every published workflow again, even if
 * the service is down (n8n.md#modes-of-hooks).
 */
export const isStarting = (context: IHookFunctions | IPollFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());
