import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { normaliseCall } from '../shared/calls/normaliseCall';
import { isOpenStatus } from '../shared/calls/outcome';
import { logHourly } from '../shared/log';
import { asText } from '../shared/values/json';
import { authenticate, respondUnauthorized } from '../shared/webhook/authentication';
import { receivedBody } from '../shared/webhook/receivedBody';
import { webhookOf } from '../shared/webhook/triggerContext';
import { isCall } from './deliveredCall';
import { readPurpose } from './events';
import { toItem } from './leaveOut';
import { ASKS_BEFORE, notUnderstood, tooEarly } from './webhookMessages';
import { noteOtherEvent } from './otherEvent';
import { passesFilters, type CallFilters } from './passesFilters';
import { answerNothing, isQuestion, receiveQuestion } from './question';
import { isRepeated } from './repeatedDelivery';

/**
 * Starts the workflow with a delivery, as one item: the call, or what came if it is no call that this node
 * knows, because no call must be lost. A request without the registered token gets 401. A call that is not
 * over or does not pass the filters, and one that says the same as an earlier one, get 200, and so does a
 * question before a call. In all these cases no execution starts, and none is stored.
 */
export async function receiveDelivery(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const token = asText((this.getQueryData() as { token?: unknown }).token);
	const purpose = await authenticate(this, token, readPurpose);
	// Both webhooks of the node have the same token.
	if (!purpose || this.getWebhookName() !== webhookOf(purpose[0])) return respondUnauthorized(this);

	const [event, assistantId] = purpose;
	if (event === 'inboundCallStarting') return await receiveQuestion(this, assistantId);
	const raw = await receivedBody(this);
	if (event === 'inboundCallCompleted' && isQuestion(raw)) {
		noteOtherEvent(this, ASKS_BEFORE);
		return answerNothing(this);
	}
	const isKnown = isCall(raw);
	const call: IDataObject = isKnown
		? normaliseCall(raw, event, Number(assistantId))
		: { event, assistant_id: Number(assistantId), outcome: 'unknown' };
	if (isKnown && isOpenStatus(call.status)) {
		logHourly(this, 'info', tooEarly(raw));
		return {};
	}
	// What is no call lacks the fields of all filters.
	const filters = this.getNodeParameter('filters') as CallFilters;
	if (isKnown && !passesFilters(call, filters)) return {};
	if (await isRepeated(this, raw)) return {};
	if (!isKnown) logHourly(this, 'info', notUnderstood(raw));
	const json = toItem(call, raw, isKnown, this.getNodeParameter('leaveOut'));
	return { workflowData: [[{ json }]] };
}
