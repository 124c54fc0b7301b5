import type { IHookFunctions } from 'n8n-workflow';

import { ProcessMemory } from '../processMemory';
import { isTest, triggerKey } from '../webhook/triggerContext';
import { sendAnswer, type WebhookResponse } from './answerOrFallback';

/** The body of the workflow's answer; undefined when it ends without one. */
type WorkflowAnswer = Promise<string | undefined>;

const firstRequests = new ProcessMemory<{ answer: WorkflowAnswer; cameAt: number }>('answers');

/** Lets the same request start the workflow again: it was published again. A test leaves a published workflow alone. */
export const forgetRequests = (context: IHookFunctions): void => {
	if (!isTest(context)) firstRequests.deleteAll(triggerKey(context));
};

/** The answer to the same request, if one came within this time and its workflow has not failed. */
export function earlierAnswer(key: string, withinMs: number): WorkflowAnswer | undefined {
	const first = firstRequests.get(key);
	return first && Date.now() - first.cameAt < withinMs ? first.answer : undefined;
}

/** Remembers a request whose workflow starts, until it ends without an answer. */
export function rememberRequest(key: string, answer: WorkflowAnswer): void {
	const request = { answer, cameAt: Date.now() };
	firstRequests.set(key, request);
	void answer.then((body) => {
		if (body === undefined && firstRequests.get(key) === request) firstRequests.delete(key);
	});
}

/** Gives a request the answer of an earlier one, or the fallback when there is none in time. */
export async function answerAs(
	response: WebhookResponse,
	answer: WorkflowAnswer,
	fallback: string,
	timeLimitMs: number,
): Promise<void> {
	const timeLimit = AbortSignal.timeout(timeLimitMs);
	const timedOut = new Promise<undefined>((resolve) => {
		timeLimit.addEventListener('abort', () => {
			resolve(undefined);
		});
	});
	sendAnswer(response, (await Promise.race([answer, timedOut])) ?? fallback);
}
