import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { getItems } from '../../../host/api/execution.mts';
import { waitFor } from '../../../host/process/wait.mts';
import {
	ANSWERING_TOOL,
	answeringTool,
	ANSWERS,
	nodesOn,
	WAYS,
	type Way,
} from '../../support/answeringTool.mts';
import { startBlockingServer } from '../../support/blockingServer.mts';
import { TOOL_CALL } from '../../support/midCallTools.mts';
import { asObject } from '../../../sandbox/test/support/contract.mts';
import {
	callTool,
	CALLED_NUMBER,
	type ToolCall,
} from '../../../sandbox/test/support/toolCalls.mts';
import type { E2eServers } from '../testEnvironment.mts';
import { startToolEnvironment, getToolIds, OTHER_TOOL, PHONE_NUMBER } from './toolEnvironment.mts';

const ASSISTANT = 1;
const EXECUTION_LIMIT_MS = 120_000;
/** The fallback comes a second before. */
const TIMEOUT_S = 4;
/** What is true of each way to answer, in the words of a check. */
const CHECKS: Record<Way, string> = {
	early: 'the answer is in the transcript while the workflow goes on',
	data: 'an answer can be data',
	twice: 'of two answers, the first one counts',
	late: 'a late workflow gives the fallback answer in time, and fails at its own',
	never: 'a workflow whose branch has no answer gives the fallback answer',
	fails: 'a workflow that fails gives the fallback answer',
};

/** Every way in which a workflow answers a tool call, or does not. */
export async function toolAnswers(environment: E2eServers): Promise<void> {
	const { check, require, cleanup, editor } = environment;
	const tools = await startToolEnvironment(environment, { name: 'Answers', assistants: 1 });
	const { service, user, credential } = tools;
	const blockingServer = await cleanup.use(startBlockingServer());
	const { urlExpression } = blockingServer;
	const logLines = async (): Promise<string[]> =>
		(await readFile(environment.n8n().logFile, 'utf8')).split('\n');

	const { calls, again, ended, executions, logged } =
		await require('an assistant calls a tool that answers in different ways', async () => {
			const { id } = await editor.createWorkflow(
				answeringTool(ASSISTANT, credential, urlExpression, TIMEOUT_S),
			);
			await editor.publish(id);
			const call = async (way: Way): Promise<ToolCall> =>
				await callTool(service, user, ASSISTANT, ANSWERING_TOOL, { way });
			// The first execution after n8n's start is slow. The same request again gets its answer, and starts nothing.
			await call('data');
			const before = (await logLines()).length;
			blockingServer.block();
			const calls = new Map<Way, ToolCall>();
			for (const way of WAYS) calls.set(way, await call(way));
			// The calls have ended: two workflows go on only now.
			await blockingServer.untilBlocked(2);
			blockingServer.answer();
			await waitFor('all executions to end', EXECUTION_LIMIT_MS, async () => {
				const found = await editor.executions(id);
				return found.length >= WAYS.length || undefined;
			});
			const again = await call('late');
			const ended = await editor.executions(id);
			const executions = new Map(
				ended.map((execution) => {
					const [item] = getItems(execution, TOOL_CALL);
					return [asObject(item?.parameters, 'parameters').way, execution];
				}),
			);
			const logged = (await logLines()).slice(before - 1);
			await editor.unpublish(id);
			return { calls, again, ended, executions, logged };
		});

	await check('the same request of the same caller starts no second execution', () => {
		assert.equal(ended.length, WAYS.length);
	});

	await check('a request that comes again after the fallback gets the late answer', () => {
		assert.deepEqual(JSON.parse(again.request.answer), { answer: 'Too late.' });
	});

	for (const way of WAYS) {
		await check(CHECKS[way], () => {
			const call = calls.get(way);
			const execution = executions.get(way);
			assert.ok(call !== undefined && execution !== undefined);
			const { request, transcript } = call;
			assert.deepEqual([request.status, request.error], [200, null]);
			assert.deepEqual(JSON.parse(request.answer), ANSWERS[way]);
			const { answer } = ANSWERS[way];
			assert.ok(transcript.includes(`Assistant: ${answer}`), transcript.join('\n'));

			const { status, mode, runs, error } = execution;
			assert.deepEqual(
				[status, mode],
				[['fails', 'late'].includes(way) ? 'error' : 'success', 'webhook'],
				error,
			);
			assert.deepEqual(
				runs.map((run) => run.node),
				nodesOn(way),
			);
		});
	}

	await check('the workflow of a tool knows who is calling', () => {
		for (const execution of executions.values()) {
			assert.deepEqual(getItems(execution, TOOL_CALL)[0]?.call, {
				customer_phone: CALLED_NUMBER,
				assistant_phone: PHONE_NUMBER,
				assistant_id: ASSISTANT,
			});
		}
	});

	await check("answers that are missing or ignored leave no line in n8n's log", () => {
		const about = logged.filter((line) => /response|header|answer/i.test(line));
		// n8n 2.41 writes them for a workflow that fails.
		const own = [
			'Webhook execution failed before a response was sent',
			'The assistant has already said the fallback answer',
		];
		assert.deepEqual(
			about.filter((line) => !own.some((text) => line.includes(text))),
			[],
		);
	});

	await check('unpublished, the assistant has the tool no more', async () => {
		assert.deepEqual(await getToolIds(tools, ASSISTANT), [OTHER_TOOL]);
	});
}
