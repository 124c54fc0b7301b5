import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { answerOrFallback, sendAnswer } from '../shared/answers/answerOrFallback';
import { e164, tellsPerson } from '../shared/answers/caller';
import { answerAs, earlierAnswer, rememberRequest } from '../shared/answers/sameRequest';
import { waitingItem } from '../shared/answers/startInTime';
import { isN8nBehind } from '../shared/answers/isN8nBehind';
import { isOpenStatus } from '../shared/calls/outcome';
import { isOn } from '../shared/fields/booleans';
import { logHourly } from '../shared/log';
import { asText, isRecord } from '../shared/values/json';
import { receivedBody } from '../shared/webhook/receivedBody';
import { toHash } from '../shared/values/hash';
import { workflowKey } from '../shared/webhook/triggerContext';
import { isCall } from './deliveredCall';
import { readFallbackBody, readTimeLimitMs } from './fallback';
import { N8N_IS_BEHIND, REPORTS_COMPLETED, unusualQuestion } from './webhookMessages';
import { noteOtherEvent } from './otherEvent';

/** The fields of the question (public-service: Inbound webhook). */
const NUMBERS = ['customer_phone', 'assistant_phone'];

/** A service asks again, or a person calls again, at once. */
const SAME_QUESTION_MS = 10_000;

/** Whether a body has the fields of the question before a call, as texts or null, and no others. */
export const isQuestion = (body: unknown): body is IDataObject =>
	isRecord(body) &&
	Object.keys(body).length > 0 &&
	Object.entries(body).every(
		([name, value]) => NUMBERS.includes(name) && (value === null || typeof value === 'string'),
	);

/** Answers without an execution. */
export function answerNothing(context: IWebhookFunctions): IWebhookResponseData {
	sendAnswer(context.getResponseObject(), '{}');
	return { noWebhookResponse: true };
}

const readStartWhenLate = (context: IWebhookFunctions): boolean =>
	isOn(context.getNodeParameter('options.startWhenLate', false));

/** Names who calls whom; undefined in a test, and where nobody can tell who calls. */
function questionKey(context: IWebhookFunctions, numbers: string[]): string | undefined {
	const [customer = ''] = numbers;
	if (context.getMode() === 'manual' || !tellsPerson(customer)) return undefined;
	return `${workflowKey(context)} ${toHash(JSON.stringify(numbers))}`;
}

/**
 * Starts the workflow with the question before an inbound call. The service gets one answer, in time: the
 * variables of *Call → Respond*, or the fallback. The same question within seconds starts nothing, and gets the
 * answer of the first one. A call that is over starts nothing: the service reports it, and does not ask. Nor does
 * a question that n8n would begin to answer too late: what it starts would make the next ones late, too.
 */
export async function receiveQuestion(
	context: IWebhookFunctions,
	assistantId: string,
): Promise<IWebhookResponseData> {
	const body = await receivedBody(context);
	if (isCall(body) && !isOpenStatus(body.status)) {
		noteOtherEvent(context, REPORTS_COMPLETED);
		return answerNothing(context);
	}
	const response = context.getResponseObject();
	const fallback = readFallbackBody(context);
	const limitMs = readTimeLimitMs(context);
	const numbers = NUMBERS.map((name) => asText(isRecord(body) ? body[name] : ''));
	const key = questionKey(context, numbers);
	const earlier = key && earlierAnswer(key, SAME_QUESTION_MS);
	if (earlier) {
		void answerAs(response, earlier, fallback, limitMs);
		return { noWebhookResponse: true };
	}
	const isWanted = context.getMode() === 'manual' || readStartWhenLate(context);
	if (!isWanted && isN8nBehind(limitMs)) {
		logHourly(context, 'warn', N8N_IS_BEHIND);
		sendAnswer(response, fallback);
		return { noWebhookResponse: true };
	}
	const answer = answerOrFallback(response, fallback, limitMs);
	if (key) rememberRequest(key, answer);
	const [customer = '', assistant = ''] = numbers;
	const question: IDataObject = {
		event: 'inboundCallStarting',
		assistant_id: Number(assistantId),
		customer_phone: e164(customer),
		assistant_phone: e164(assistant),
	};
	// Unusual is what the item does not have.
	const isUsual = isQuestion(body) && [customer, assistant].every((each) => !each || e164(each));
	if (isUsual) return { workflowData: [[waitingItem(question, limitMs, answer)]] };
	logHourly(context, 'info', unusualQuestion(body));
	const unusual = { ...question, raw: body as IDataObject[string] };
	return { workflowData: [[waitingItem(unusual, limitMs, answer)]] };
}
