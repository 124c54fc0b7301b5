import assert from 'node:assert/strict';

import { getItems } from '../../../host/api/execution.mts';
import { waitFor } from '../../../host/process/wait.mts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { answeringTool, ANSWERS } from '../../support/answeringTool.mts';
import { startBlockingServer } from '../../support/blockingServer.mts';
import { getHeaders, TOOL_CALL } from '../../support/midCallTools.mts';
import type { E2eEnvironment } from '../testEnvironment.mts';
import { ownTool, startToolEnvironment } from './toolEnvironment.mts';

const ASSISTANT = 1;
const EXECUTION_LIMIT_MS = 60_000;
/** The fallback comes a second before. */
const TIMEOUT_S = 4;
const ALICE = '+4915112345611';
const BOB = '+4915112345612';

/** Two tool calls at the same moment, in an n8n that runs one execution at a time. */
export async function toolRequestsAtOnce(environment: E2eEnvironment): Promise<void> {
	const { check, cleanup, editor, restart } = environment;
	const tools = await startToolEnvironment(environment, { name: 'At once', assistants: 1 });
	const blockingServer = await cleanup.use(startBlockingServer());
	await restart({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
	const { id } = await editor.createWorkflow(
		answeringTool(ASSISTANT, tools.credential, blockingServer.urlExpression, TIMEOUT_S),
	);
	await editor.publish(id);
	const { endpoint, ...tool } = await ownTool(tools, ASSISTANT);
	const ask = async (caller: string, way: string) => {
		const { body } = await sendRequest(String(endpoint), {
			method: 'POST',
			headers: {
				...getHeaders(tool),
				'content-type': 'application/json',
				'X-Call-Customer-Phone': caller,
			},
			body: JSON.stringify({ way }),
		});
		return body;
	};
	const ended = async (count: number) =>
		await waitFor('the executions to end', EXECUTION_LIMIT_MS, async () => {
			const found = await editor.executions(id);
			return found.length >= count ? found : undefined;
		});

	await check(
		'two equal requests at once start one execution, and both get its answer',
		async () => {
			const answers = await Promise.all([ask(ALICE, 'data'), ask(ALICE, 'data')]);
			assert.deepEqual(answers, [ANSWERS.data, ANSWERS.data]);
			assert.equal((await ended(1)).length, 1);
		},
	);

	await check('another caller with the same values has an execution', async () => {
		assert.deepEqual(await ask(BOB, 'data'), ANSWERS.data);
		assert.equal((await ended(2)).length, 2);
	});

	await check('an execution whose turn comes after the fallback runs no node', async () => {
		blockingServer.block();
		const slow = ask(ALICE, 'late');
		await blockingServer.untilBlocked(1);
		const queued = ask(BOB, 'late');
		assert.deepEqual(await Promise.all([slow, queued]), [ANSWERS.late, ANSWERS.late]);
		blockingServer.answer();
		const executions = await ended(4);
		const late = executions.filter(({ runs }) => runs.at(-1)?.node === TOOL_CALL);
		assert.equal(late.length, 1);
		assert.equal(late[0]?.status, 'error');
		assert.match(late[0].error ?? '', /had already got the fallback/);

		const retried = await editor.retry(late[0].id);
		assert.deepEqual(getItems(retried, TOOL_CALL)[0]?.parameters, { way: 'late' });
	});

	await editor.unpublish(id);
	await restart();
}
