import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { answerOrFallback } from '../shared/answers/answerOrFallback';
import { answerAs, earlierAnswer, rememberRequest } from '../shared/answers/sameRequest';
import { logHourly } from '../shared/log';
import { waitingItem } from '../shared/answers/startInTime';
import { textAnswer, TOKEN_HEADER } from '../shared/midCallTools/toolCall';
import { ProcessMemory } from '../shared/processMemory';
import { asText, isRecord } from '../shared/values/json';
import { authenticate, respondUnauthorized } from '../shared/webhook/authentication';
import { receivedBody } from '../shared/webhook/receivedBody';
import { toHash } from '../shared/values/hash';
import { triggerKey, workflowKey } from '../shared/webhook/triggerContext';
import { readCallDetails, tellsWhoCalls, type CallDetail } from './callDetails';
import {
	readCallDetailNames,
	readMethod,
	readParameters,
	readSameAnswer,
	readTimeout,
} from './definition';
import { parametersUnusable } from './toolMessages';
import { getToolPurpose } from './readToolState';
import { ASSISTANTS_PARAMETER } from './toolEndpoint';
import { toolParameters } from './toolParameters';

/**
 * How much of the timeout is left when the fallback is sent. The request and the answer need time on
 * their way, and a busy n8n 2.41 reads a request up to a second late.
 */
const RESERVE_PART = 0.25;
const MAX_RESERVE_MS = 2000;

/** How long a workflow may take to answer. @param timeoutMs of the tool */
const timeLimitMs = (timeoutMs: number): number =>
	timeoutMs - Math.min(MAX_RESERVE_MS, timeoutMs * RESERVE_PART);

/** What a body has, by name. */
function namesIn(body: unknown): string[] {
	if (isRecord(body)) return Object.keys(body);
	return Array.isArray(body) || asText(body) !== '' ? ['a list or a text'] : [];
}

const refused = new ProcessMemory<true>('refusedToolCalls');

/**
 * Whether the same call was refused within the last minute. Asking again would not help.
 * Without details of the call, two callers who say the same are taken for one.
 */
function isRefusedAgain(context: IWebhookFunctions, toolCall: unknown): boolean {
	const key = `${triggerKey(context)} ${toHash(JSON.stringify(toolCall))}`;
	if (refused.get(key)) return true;
	refused.set(key, true);
	return false;
}

/** Answers without an execution. */
function refuse(context: IWebhookFunctions, status: number, text: string): IWebhookResponseData {
	context.getResponseObject().status(status).json(textAnswer(text));
	return { noWebhookResponse: true };
}

/**
 * Names what is asked and by whom; undefined where that cannot be told, and in a test.
 *
 * @param values of the parameters
 */
function requestKey(
	context: IWebhookFunctions,
	details: CallDetail[] | undefined,
	call: IDataObject | undefined,
	values: IDataObject,
): string | undefined {
	if (context.getMode() === 'manual') return undefined;
	if (!details || !call || !tellsWhoCalls(details, call)) return undefined;
	return `${workflowKey(context)} ${toHash(JSON.stringify([call, values]))}`;
}

/**
 * Starts the workflow with the parameters of a tool call. The same request of the same caller within a minute
 * starts nothing, and gets the answer of the first one. A request without the secret gets 401, another
 * method than the tool's 405, and wrong parameters 422 with a sentence that the assistant can use: a question
 * for what is missing, or the fallback when it was asked for within the last minute. No execution starts then. A
 * word for nothing, such as *None*, is asked for, too, and taken when it comes again.
 */
export async function receiveToolCall(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const token = asText(this.getHeaderData()[TOKEN_HEADER.toLowerCase()]);
	if (!(await authenticate(this, token, getToolPurpose))) return respondUnauthorized(this);

	const method = readMethod(this);
	if (this.getRequestObject().method !== method) {
		this.getResponseObject().setHeader('Allow', method);
		return refuse(this, 405, `This tool only accepts ${method} requests.`);
	}
	const body = (await receivedBody(this)) as IDataObject;
	const query = { ...(this.getQueryData() as IDataObject) };
	delete query[ASSISTANTS_PARAMETER];
	const parameters = readParameters(this);
	const { values, isComplete, unusable, problem } = toolParameters(parameters, [body, query]);
	const fallback = asText(this.getNodeParameter('fallbackAnswer'));
	const details = readCallDetailNames(this);
	const call = details && readCallDetails(details, this.getRequestObject().rawHeaders);
	const isAgain = problem !== undefined && isRefusedAgain(this, [body, query, call]);
	if (problem !== undefined && !(isAgain && isComplete)) {
		const sent = [...Object.keys(query), ...namesIn(body)];
		logHourly(this, 'warn', parametersUnusable(unusable, sent));
		return refuse(this, 422, isAgain ? fallback : problem);
	}

	const response = this.getResponseObject();
	const fallbackBody = JSON.stringify(textAnswer(fallback));
	const limitMs = timeLimitMs(readTimeout(this) * 1000);
	const key = requestKey(this, details, call, values);
	const earlier = key && earlierAnswer(key, readSameAnswer(this) * 1000);
	if (earlier) {
		void answerAs(response, earlier, fallbackBody, limitMs);
		return { noWebhookResponse: true };
	}
	const answer = answerOrFallback(response, fallbackBody, limitMs);
	if (key) rememberRequest(key, answer);
	const tool = asText(this.getNodeParameter('name'));
	// n8n 2.41 refuses expressions with the word `arguments`.
	const json = { tool, parameters: values, body, query };
	const item = waitingItem(call ? { ...json, call } : json, limitMs, answer);
	return { workflowData: [[item]] };
}
