import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isEarly } from '../shared/calls/callEnd';
import { deliveredCall } from '../shared/calls/deliveredCall';
import { UnknownWords } from '../shared/calls/filterWords';
import { normaliseCall } from '../shared/calls/normaliseCall';
import { passesFilters, type CallFilters } from '../shared/calls/passesFilters';
import { asText } from '../shared/client/json';
import { authenticate, respondUnauthorized } from '../shared/webhook/authentication';
import { receivedBody } from '../shared/webhook/receivedBody';
import { getPurpose } from './events';
import { directionField } from './fields';
import { toItem } from './leaveOut';
import { tooEarly } from './messages';

/** Says so in n8n's log when the filter of directions leaves out a call whose type no user can choose. */
function warnOfUnknownType({ logger }: IWebhookFunctions, { type }: IDataObject): void {
	const unknownWords = new UnknownWords();
	unknownWords.add(directionField, type);
	if (unknownWords.warning) logger.warn(unknownWords.warning);
}

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
	if (isEarly(call)) {
		this.logger.info(tooEarly(call));
		return {};
	}
	const filters = this.getNodeParameter('filters') as CallFilters;
	if (!passesFilters(call, filters)) {
		if (passesFilters(call, { ...filters, directions: [] })) warnOfUnknownType(this, call);
		return {};
	}
	const json = toItem(call, body, this.getNodeParameter('leaveOut'));
	return { workflowData: [[{ json }]] };
}
