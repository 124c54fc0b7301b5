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
import { percentile } from '../support/percentile.mts';
import { post } from '../support/post.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { getObjects } from '../../sandbox/test/support/contract.mts';
import { getHeaders, TOOL_CALL } from '../support/midCallTools.mts';
import { callTool, type ToolCall } from '../../sandbox/test/support/toolCalls.mts';
import type { QueueEnvironment } from './environment.mts';
import { TOKEN, TOOL_ASSISTANT } from './seed.mts';
import { executionsOn, type QueueProcess } from './topology.mts';

/**
 * Long enough for workers of a busy machine, and to kill one while it works on the answer. The fallback
 * comes a second before.
 */
const TIMEOUT_S = 20;
const LIMIT_MS = 60_000;
const MEASURED = 200;

/**
 * Workers answer tool calls through the webhook process, which sends the fallback when they do not.
 *
 * @returns the workers that still run
 */
export async function toolCalls(
	{ check, require, cleanup }: Checks,
	{ topology, service, credential, metrics }: QueueEnvironment,
	workers: QueueProcess[],
): Promise<QueueProcess[]> {
	const { editor, webhookUrl } = topology;
	const blockingServer = await cleanup.use(startBlockingServer());
	const call = async (way: Way): Promise<ToolCall> =>
		await callTool(service, service.as(TOKEN), TOOL_ASSISTANT, ANSWERING_TOOL, { way });
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
				node.parameters = { ...node.parameters, options: { sameAnswerSeconds: 0 } };
			}
			const { id } = await editor.createWorkflow(tool);
			await editor.publish(id);
			assertAnswered('data', await call('data'));
			return id;
		});

	blockingServer.block();
	for (const way of WAYS) {
		await check(`in queue mode, a tool call that ends "${way}" gets its answer`, async () => {
			const answered = await call(way);
			assertAnswered(way, answered);
			metrics.set(`tool call, ${way}`, `${answered.request.latency_ms} ms`);
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
		const started = await executionsOn(workers, 'started');
		const ids = [...(await editor.executionStates(id)).keys()];
		assert.deepEqual(
			ids.filter((execution) => !started.includes(execution)),
			[],
		);
	});

	await check(
		`${MEASURED} tool calls, one and ten at a time, are answered by workers`,
		async () => {
			const { tools } = await assistantRecord(service.as(TOKEN), TOOL_ASSISTANT);
			const [tool] = getObjects(tools);
			const bodies = Array.from({ length: MEASURED }, () => ({ way: 'data' }));
			for (const inFlight of [1, 10]) {
				const url = String(tool?.endpoint);
				const { statuses, texts, latencies } = await post(url, bodies, inFlight, getHeaders(tool));
				assert.deepEqual([...new Set(statuses)], [200]);
				assert.deepEqual([...new Set(texts)], [JSON.stringify(ANSWERS.data)]);
				const [p50, p95] = [0.5, 0.95].map((part) => Math.round(percentile(latencies, part)));
				metrics.set(`tool calls, ${inFlight} at a time`, `p50 ${p50} ms, p95 ${p95} ms`);
			}
		},
	);

	const killed = await check(
		'a worker is killed while it works on the answer: the assistant gets the fallback answer',
		async () => {
			blockingServer.block();
			let isAnswered = false;
			const calling = call('late').finally(() => (isAnswered = true));
			// If the wait below fails first, a later rejection would be unhandled.
			calling.catch(() => {});
			await blockingServer.untilBlocked(1);
			const running = await Promise.all(workers.map(async (each) => await each.running()));
			const [worker, ...others] = workers.filter((_, index) => running[index]?.length !== 0);
			assert.ok(worker !== undefined && others.length === 0);
			await worker.kill();
			assert.equal(isAnswered, false, 'The worker was killed too late.');
			assertAnswered('late', await calling);
			blockingServer.answer();
			return worker;
		},
	);

	await check('another worker answers the next call', async () => {
		assertAnswered('data', await call('data'));
		await editor.unpublish(id);
	});
	await check(
		'in queue mode, a question before a call is answered, or gets the fallback',
		async () => {
			const asked = askedWorkflow(TOOL_ASSISTANT, credential, blockingServer.urlExpression);
			const { id } = await editor.createWorkflow(asked);
			await editor.publish(id);
			const { inbound_webhook_url: url } = await assistantRecord(service.as(TOKEN), TOOL_ASSISTANT);
			const ask = async (caller: string) =>
				(await post(String(url), [questionOf(caller)], 1)).texts;
			// The first execution after a publish is slow.
			await ask('+14155550100');
			assert.deepEqual(await ask(CALLERS.inTime), [JSON.stringify(VARIABLES)]);
			assert.deepEqual(await ask(CALLERS.fails), [JSON.stringify(FALLBACK)]);
			await editor.unpublish(id);
		},
	);
	await check('in queue mode, equal requests of a caller start one execution', async () => {
		const tool = answeringTool(TOOL_ASSISTANT, credential, blockingServer.urlExpression, TIMEOUT_S);
		const { id } = await editor.createWorkflow(tool);
		await editor.publish(id);
		const { tools } = await assistantRecord(service.as(TOKEN), TOOL_ASSISTANT);
		const [{ endpoint, ...record } = {}] = getObjects(tools);
		/** The answers to so many equal requests at once. */
		const ask = async (caller: string, way: Way, count = 1): Promise<unknown[]> => {
			const bodies = Array.from({ length: count }, () => ({ way }));
			const headers = { ...getHeaders(record), 'X-Call-Customer-Phone': caller };
			const { texts } = await post(String(endpoint), bodies, count, headers);
			return texts.map((text): unknown => JSON.parse(text));
		};
		const [alice, bob] = ['+4915112345611', '+4915112345612'];
		assert.deepEqual(await ask(alice, 'data', 3), Array(3).fill(ANSWERS.data));
		assert.deepEqual(await ask(alice, 'data'), [ANSWERS.data]);
		assert.deepEqual(await ask(bob, 'data'), [ANSWERS.data]);
		blockingServer.block();
		assert.deepEqual(await ask(alice, 'late'), [ANSWERS.late]);
		const again = ask(alice, 'late');
		blockingServer.answer();
		assert.deepEqual(await again, [{ answer: 'Too late.' }]);
		assert.equal((await editor.executionStates(id)).size, 3);
		await editor.unpublish(id);
	});
	return workers.filter((worker) => worker !== killed);
}
