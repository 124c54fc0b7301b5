import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isEarly } from '../shared/calls/callEnd';
import { deliveredCall } from '../shared/calls/deliveredCall';
import { normaliseCall } from '../shared/calls/normaliseCall';
import { passesFilters, type CallFilters } from '../shared/calls/passesFilters';
import { asText } from '../shared/client/json';
import { authenticate, respondUnauthorized } from '../shared/webhook/authentication';
import { receivedBody } from '../shared/webhook/receivedBody';
import { getPurpose } from './events';
import { toItem } from './leaveOut';

/**
 * Starts the workflow with a delivered call. A request without the registered token gets 401, and a call
 * that is not over, or does not pass the filters, gets 200. In all these cases no execution starts, and none
 * is stored.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const token = asText((this.getQueryData() as { token?: unknown }).token);
	const purpose = await authenticate(this, token, getPurpose);
	if (!purpose) return respondUnauthorized(this);

	const [event, assistantId] = purpose;
	const body = receivedBody(this);
	const call = normaliseCall(deliveredCall(body), event, Number(assistantId));
	if (isEarly(call)) return {};
	if (!passesFilters(call, this.getNodeParameter('filters') as CallFilters)) return {};
	const json = toItem(call, body, this.getNodeParameter('leaveOut'));
	return { workflowData: [[{ json }]] };
}
