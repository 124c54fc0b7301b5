import assert from 'node:assert/strict';

import * as z from 'zod';

import type { ToolChoice } from '../../sandbox/client.mts';
import type { Service } from '../support/sandbox/service.mts';

/** More than a call of the sandbox takes. */
const A_CALL = 'PT3M';
const CALLER = '+4915112345611';

const toolAnswer = z.object({ answer: z.string() });

/**
 * Lets people call an assistant at the same moment, which uses a tool in each call.
 *
 * @param choices the tool of each call
 * @returns what the assistant says then, for each call
 */
export async function toolAnswers(
	{ control }: Service,
	assistantId: number,
	choices: ToolChoice[],
): Promise<string[]> {
	const calls: number[] = [];
	for (const tool of choices) {
		calls.push((await control.inbound({ assistant_id: assistantId, from: CALLER, tool })).id);
	}
	await control.advance(A_CALL);
	const requests = await control.toolRequests();
	return calls.map((id) => {
		const request = requests.find(({ call_id: callId }) => callId === id);
		assert.equal(request?.status, 200, request?.error ?? 'The assistant used no tool.');
		return toolAnswer.parse(JSON.parse(request.answer)).answer;
	});
}
