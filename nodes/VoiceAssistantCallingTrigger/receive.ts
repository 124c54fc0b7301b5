import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asText } from '../shared/client/json';
import { normaliseCall } from '../shared/calls/normaliseCall';
import { passesFilters, type CallFilters } from '../shared/calls/passesFilters';
import { authenticate, respondUnauthorized } from '../shared/webhook/authentication';
import { receivedBody } from '../shared/webhook/receivedBody';
import { itemOf } from './leaveOut';
import { purposeOf } from './purpose';

/**
 * Starts the workflow with a delivered call. A request without the registered token gets 401, and a call
 * that does not pass the filters gets 200. In both cases no execution starts, and none is stored.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const token = asText((this.getQueryData() as { token?: unknown }).token);
	const purpose = await authenticate(this, token, purposeOf);
	if (!purpose) return respondUnauthorized(this);

	const [event, assistantId] = purpose;
	const body = receivedBody(this);
	const call = normaliseCall(body, event, Number(assistantId));
	if (!passesFilters(call, this.getNodeParameter('filters') as CallFilters)) return {};
	const json = itemOf(call, body, this.getNodeParameter('leaveOut'));
	return { workflowData: [[{ json }]] };
}
