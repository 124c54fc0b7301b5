import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isEarly } from '../shared/calls/callEnd';
import { normaliseCall } from '../shared/calls/normaliseCall';
import { asText } from '../shared/values/json';
import { authenticate, respondUnauthorized } from '../shared/webhook/authentication';
import { logOnce } from '../shared/webhook/logOnce';
import { receivedBody } from '../shared/webhook/receivedBody';
import type { Purpose } from '../shared/webhook/token';
import { deliveredCalls, isBeginning, mayBeCall, type DeliveredCall } from './deliveredCall';
import { getPurpose } from './events';
import { toItem } from './leaveOut';
import { noCall, tooEarly } from './messages';
import { passesFilters, type CallFilters } from './passesFilters';
import { withoutRepeated, type StartingCall } from './repeatedDelivery';

/**
 * Reads what a delivery has about a call, and makes its item; undefined when it does not start the workflow.
 *
 * @param raw as the service sent it
 */
function toStartingCall(
	context: IWebhookFunctions,
	delivered: DeliveredCall,
	raw: unknown,
	[event, assistantId]: Purpose,
): StartingCall | undefined {
	if (!mayBeCall(delivered)) {
		logOnce(context, 'info', noCall(delivered.call));
		return undefined;
	}
	const { serviceEvent } = delivered;
	const call = normaliseCall(delivered.call, String(event), Number(assistantId));
	if (isEarly(call, isBeginning(delivered))) {
		logOnce(context, 'info', tooEarly(delivered.call));
		return undefined;
	}
	const filters = context.getNodeParameter('filters') as CallFilters;
	if (!passesFilters(call, filters)) return undefined;
	const named = serviceEvent === undefined ? call : { ...call, service_event: serviceEvent };
	const item = toItem(named, raw, context.getNodeParameter('leaveOut'));
	return { delivered, call, item };
}

/**
 * Starts the workflow with the delivered calls, one item for each. A request without the registered token gets
 * 401. What is no call, repeats an earlier delivery, or is a call that is not over or does not pass the filters,
 * gets 200. In all these cases no execution starts, and none is stored.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const token = asText((this.getQueryData() as { token?: unknown }).token);
	const purpose = await authenticate(this, token, getPurpose);
	if (!purpose) return respondUnauthorized(this);

	const body = await receivedBody(this);
	const calls = deliveredCalls(body);
	if (calls.length === 0) logOnce(this, 'info', noCall(body));
	const starting = calls.flatMap((delivered) => {
		// Each of several calls has only its own part of the body, and so has a text, which may be left out whole.
		const isPart = calls.length > 1 || typeof delivered.call === 'string';
		const raw = isPart ? delivered.call : body;
		return toStartingCall(this, delivered, raw, purpose) ?? [];
	});
	const items = (await withoutRepeated(this, starting)).map(({ item }) => ({ json: item }));
	return items.length > 0 ? { workflowData: [items] } : {};
}
