import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asText } from '../shared/client/json';
import type { TriggerOn } from './events';
import { normaliseCall } from './normaliseCall';
import { ownToken, registeredToken } from './self';
import { isSameToken } from './token';

async function isFromService(context: IWebhookFunctions): Promise<boolean> {
	const given = asText((context.getQueryData() as { token?: unknown }).token);
	if (isSameToken(given, registeredToken(context))) return true;
	// Where the credential cannot be read, a stranger must not leave failed executions behind either.
	return isSameToken(given, await ownToken(context).catch(() => ''));
}

/**
 * Takes a delivered call and starts the workflow with it. A request without the registered token is
 * answered with 401 and starts nothing, and leaves no failed execution behind.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (!(await isFromService(this))) {
		this.getResponseObject().status(401).json({ message: 'This address needs its token.' });
		return { noWebhookResponse: true };
	}
	const event = this.getNodeParameter('triggerOn') as TriggerOn;
	const assistantId = Number(this.getNodeParameter('assistantId', '', { extractValue: true }));
	const body = this.getBodyData();
	const call = normaliseCall(body, event, assistantId);
	const withRaw = this.getNodeParameter('options.includeRawBody', false) === true;
	return { workflowData: [[{ json: withRaw ? { ...call, raw: body } : call }]] };
}
