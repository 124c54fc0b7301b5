import assert from 'node:assert/strict';

import * as z from 'zod';

import type { Workflow } from '../../host/api/workflow.mts';
import type { ToolChoice } from '../../sandbox/client.mts';
import type { Service } from '../support/sandbox/service.mts';
import type { OpenExample } from './openExample.mts';

/** More than a call of the sandbox takes. */
const A_CALL = 'PT3M';
const CALLER = '+4915112345611';

const toolAnswerBody = z.object({ answer: z.string() });
const toolTrigger = z.object({ parameters: z.object({ name: z.string(), timeout: z.number() }) });

/** Which tool of the example the assistant uses. */
export type NamedTool = ToolChoice & { name: string };

/** What an assistant says after it has used a tool. */
interface ToolAnswer {
	text: string;
	/** until the tool had answered */
	milliseconds: number;
}

/**
 * Lets somebody call an assistant, which uses a tool in the call, and prints how long that took.
 *
 * @returns what the assistant says then
 * @throws AssertionError when it took as long as the example allows
 */
export async function toolAnswer(
	{ service, workflow }: OpenExample,
	assistantId: number,
	tool: NamedTool,
): Promise<string> {
	const [answer] = await useTools(service, assistantId, [tool]);
	assert.ok(answer);
	const limit = timeoutOf(workflow, tool.name);
	const time = `${tool.name} took ${answer.milliseconds} ms of ${limit} ms`;
	console.log(`       ${time}`);
	assert.ok(answer.milliseconds < limit, time);
	return answer.text;
}

/**
 * Lets people call an assistant at the same moment, which uses a tool in each call.
 *
 * @param choices the tool of each call
 * @returns what the assistant says then, for each call
 */
export async function toolAnswers(
	service: Service,
	assistantId: number,
	choices: ToolChoice[],
): Promise<string[]> {
	return (await useTools(service, assistantId, choices)).map(({ text }) => text);
}

async function useTools(
	{ control }: Service,
	assistantId: number,
	choices: ToolChoice[],
): Promise<ToolAnswer[]> {
	const calls: number[] = [];
	for (const tool of choices) {
		calls.push((await control.inbound({ assistant_id: assistantId, from: CALLER, tool })).id);
	}
	await control.advance(A_CALL);
	const requests = await control.toolRequests();
	return calls.map((id) => {
		const request = requests.find(({ call_id: callId }) => callId === id);
		assert.equal(request?.status, 200, request?.error ?? 'The assistant used no tool.');
		return {
			text: toolAnswerBody.parse(JSON.parse(request.answer)).answer,
			milliseconds: request.latency_ms ?? Infinity,
		};
	});
}

/** How many milliseconds a tool of a workflow may take. @throws Error when there is no such tool */
function timeoutOf({ name: workflow, nodes }: Workflow, tool: string): number {
	const triggers = nodes.flatMap((node) => toolTrigger.safeParse(node).data ?? []);
	const trigger = triggers.find(({ parameters }) => parameters.name === tool);
	if (trigger === undefined) throw new Error(`"${workflow}" has no tool "${tool}".`);
	return trigger.parameters.timeout * 1000;
}
