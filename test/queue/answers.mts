import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import {
	ANSWERING_TOOL,
	answeringTool,
	ANSWERS,
	WAYS,
	type Way,
} from '../support/answeringTool.mts';
import {
	askedWorkflow,
	CALLERS,
	FALLBACK,
	questionOf,
	VARIABLES,
} from '../support/askedWorkflow.mts';
import { startBlockingServer } from '../support/blockingServer.mts';
import type { Checks } from '../support/checks.mts';
import { post } from '../support/post.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { TOOL_CALL } from '../support/midCallTools.mts';
import { callTool, type ToolCall } from '../../sandbox/test/support/toolCalls.mts';
import { TOOL_ASSISTANT, type QueueEnvironment } from './environment.mts';

/**
 * Long enough for workers of a busy machine, and to kill one while it works on the answer. The fallback
 * comes a second before.
 */
const TIMEOUT_S = 20;
const LIMIT_MS = 60_000;

/** Workers answer tool calls through the webhook process, which sends the fallback when they do not. */
export async function toolCalls(
	{ check, require, cleanup }: Checks,
	environment: QueueEnvironment,
): Promise<void> {
	const { editor, webhookUrl, workers, killWorkers, addWorker } = environment;
	const { service, client, credential } = environment;
	const blockingServer = await cleanup.use(startBlockingServer());
	const call = async (way: Way): Promise<ToolCall> =>
		await callTool(service, client, TOOL_ASSISTANT, ANSWERING_TOOL, { way });
	const assertAnswered = (way: Way, { request, transcript }: ToolCall): void => {
		assert.deepEqual([request.status, request.error], [200, null]);
		assert.ok(request.url.startsWith(`${webhookUrl}/webhook/`), request.url);
		assert.deepEqual(JSON.parse(request.answer), ANSWERS[way]);
		assert.ok(transcript.includes(`Assistant: ${ANSWERS[way].answer}`), transcript.join('\n'));
	};

	const id =
		await require('a tool is published in queue mode, and its first call is answered', async () => {
			const { urlExpression } = blockingServer;
			const tool = answeringTool(TOOL_ASSISTANT, credential, urlExpression, TIMEOUT_S);
			// The same person asks the same again.
			for (const node of tool.nodes.filter(({ name }) => name === TOOL_CALL)) {
				node.parameters = {
					...node.parameters,
					options: { timeout: TIMEOUT_S, sameAnswerSeconds: 0 },
				};
			}
			const { id } = await editor.createWorkflow(tool);
			await editor.publish(id);
			assertAnswered('data', await call('data'));
			return id;
		});

	blockingServer.block();
	for (const way of WAYS) {
		await check(`in queue mode, a tool call that ends "${way}" gets its answer`, async () => {
			assertAnswered(way, await call(way));
		});
	}

	await check('the answers came from workers, whose workflows went on', async () => {
		await blockingServer.untilBlocked(2);
		blockingServer.answer();
		const states = await waitFor('all executions to end', LIMIT_MS, async () => {
			const present = [...(await editor.executionStates(id)).values()];
			return present.some((state) => ['new', 'running'].includes(state)) ? undefined : present;
		});
		const failed = states.filter((state) => state !== 'success');
		// Too late, and by itself.
		assert.deepEqual(failed, ['error', 'error']);
		const started = (
			await Promise.all(workers.map(async (worker) => await worker.started()))
		).flat();
		const ids = [...(await editor.executionStates(id)).keys()];
		assert.deepEqual(
			ids.filter((execution) => !started.includes(execution)),
			[],
		);
	});

	await check(
		'the workers are killed in the middle of an answer: the assistant gets the fallback',
		async () => {
			blockingServer.block();
			let isAnswered = false;
			const calling = call('late').finally(() => (isAnswered = true));
			// If the wait below fails first, a later rejection would be unhandled.
			calling.catch(() => {});
			await blockingServer.untilBlocked(1);
			await killWorkers();
			assert.equal(isAnswered, false, 'The workers were killed too late.');
			assertAnswered('late', await calling);
			blockingServer.unblock();
		},
	);

	await check('another worker answers the next call', async () => {
		await addWorker();
		assertAnswered('data', await call('data'));
		await editor.unpublish(id);
	});
}

/** Workers answer the question before a call, or the webhook process sends the fallback. */
export async function inboundQuestion(
	{ check, cleanup }: Checks,
	{ editor, client, credential }: QueueEnvironment,
): Promise<void> {
	const blockingServer = await cleanup.use(startBlockingServer());
	await check(
		'in queue mode, a question before a call is answered, or gets the fallback',
		async () => {
			const asked = askedWorkflow(TOOL_ASSISTANT, credential, blockingServer.urlExpression);
			const { id } = await editor.createWorkflow(asked);
			await editor.publish(id);
			const { inbound_webhook_url: url } = await assistantRecord(client, TOOL_ASSISTANT);
			const ask = async (caller: string) =>
				(await post(String(url), [questionOf(caller)], 1)).texts;
			// The first execution of a workflow on each worker is slow.
			await Promise.all(['00', '05', '06', '07'].map(async (end) => await ask(`+141555501${end}`)));
			assert.deepEqual(await ask(CALLERS.inTime), [JSON.stringify(VARIABLES)]);
			assert.deepEqual(await ask(CALLERS.fails), [JSON.stringify(FALLBACK)]);
			await editor.unpublish(id);
		},
	);
}
