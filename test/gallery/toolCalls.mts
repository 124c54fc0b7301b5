import assert from 'node:assert/strict';

import * as z from 'zod';

import { A_CALL, type Example } from './example.mts';

const CALLER = '+4915112345611';

/** The phone number of a caller; null if it is suppressed. */
type Caller = string | null;
const toolAnswer = z.object({ answer: z.string() });

/**
 * Lets people call an assistant at the same moment, which uses a tool in each call.
 *
 * @param uses the arguments in each call
 * @param callers who makes each call
 * @returns what the assistant says then, for each call
 * @throws AssertionError when a tool did not answer in its time
 */
export async function toolAnswers(
	{ control }: Example,
	assistant_id: number,
	name: string,
	uses: object[],
	callers: Caller[] = uses.map(() => CALLER),
): Promise<string[]> {
	const calls: number[] = [];
	for (const [index, use] of uses.entries()) {
		const tool = { name, arguments: { ...use } };
		const from = callers[index] ?? undefined;
		calls.push((await control.inbound({ assistant_id, from, tool })).id);
	}
	await control.advance(A_CALL);
	const requests = await control.toolRequests();
	return calls.map((id) => {
		const request = requests.find(({ call_id: callId }) => callId === id);
		assert.equal(request?.status, 200, request?.error ?? 'The assistant used no tool.');
		return toolAnswer.parse(JSON.parse(request.answer)).answer;
	});
}

/** As {@link toolAnswers}, for one call. */
export async function answerOfTool(
	example: Example,
	assistantId: number,
	name: string,
	use: object,
	caller: Caller = CALLER,
): Promise<string> {
	const [answer] = await toolAnswers(example, assistantId, name, [use], [caller]);
	assert.ok(answer !== undefined);
	return answer;
}
