import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import {
	askedWorkflow,
	CALLED,
	CALLERS,
	FALLBACK,
	questionOf,
	VARIABLES,
} from '../support/askedWorkflow.mts';
import { startBlockingServer } from '../support/blockingServer.mts';
import { post } from '../support/post.mts';
import { CALL } from '../support/workflows.mts';
import { readWebhookUrls, waitUntilUnregistered } from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const EXECUTION_LIMIT_MS = 120_000;
/** *Answer Within* is 1.8 seconds. The rest is what a busy machine needs. */
const LATE_MS = 10_000;

/** The question before an inbound call, and the ways in which a workflow answers it. */
export async function inboundQuestion(environment: E2eEnvironment): Promise<void> {
	const { check, require, cleanup, editor, carol, url } = environment;
	const { question } = ASSISTANTS;
	const blockingServer = await cleanup.use(startBlockingServer());
	const registered = async (): Promise<string> =>
		(await readWebhookUrls(environment, question)).inboundCallCompleted ?? '';
	const ask = async (...callers: string[]) => {
		const bodies = callers.map(questionOf);
		const { statuses, texts, latencies } = await post(await registered(), bodies, bodies.length);
		assert.deepEqual(new Set(statuses), new Set([200]), texts.join('\n'));
		return { answers: texts.map((text) => JSON.parse(text) as object), latencies };
	};

	const id = await require('a workflow is asked before inbound calls', async () => {
		const asked = askedWorkflow(question, carol, blockingServer.urlExpression);
		const created = await editor.createWorkflow(asked);
		await editor.publish(created.id);
		assert.match(
			await registered(),
			new RegExp(`^${url}/webhook/[^/]+/starting/${created.id}/[^/]+\\?token=[0-9a-f]{64}$`),
		);
		// The first execution after a publish is slow, and its answer may be late.
		await ask('+14155550100');
		return created.id;
	});

	await check('a question is answered with the variables of Call → Respond', async () => {
		const { answers } = await ask(CALLERS.inTime);
		assert.deepEqual(answers, [VARIABLES]);
	});

	await check('the same question twice at once is one execution', async () => {
		const before = (await editor.executions(id)).length;
		const { answers } = await ask('+14155550101', '+14155550101');
		assert.deepEqual(answers, [VARIABLES, VARIABLES]);
		assert.ok((await editor.executions(id)).length <= before + 1);
	});

	await check('a workflow that fails, or has no answer, gives the fallback variables', async () => {
		const { answers } = await ask(CALLERS.fails, CALLERS.never);
		assert.deepEqual(answers, [FALLBACK, FALLBACK]);
	});

	await check(
		'a late workflow gives the fallback variables in time, and fails at its own',
		async () => {
			blockingServer.block();
			const { answers, latencies } = await ask(CALLERS.late);
			assert.deepEqual(answers, [FALLBACK]);
			assert.ok(Math.max(...latencies) < LATE_MS, latencies.join(' '));
			await blockingServer.untilBlocked(1);
			blockingServer.answer();
			const late = await waitFor('the late execution', EXECUTION_LIMIT_MS, async () =>
				(await editor.executions(id)).find(
					(execution) =>
						execution.status === 'error' &&
						getItems(execution, CALL)[0]?.customer_phone === CALLERS.late,
				),
			);
			assert.match(late.error ?? '', /already got the fallback variables/);
			const [item] = getItems(late, CALL);
			assert.deepEqual(
				{ ...item, answer_until: '' },
				{
					...{ event: 'inboundCallStarting', assistant_id: question },
					...{ customer_phone: CALLERS.late, assistant_phone: CALLED, answer_until: '' },
				},
			);
		},
	);

	await check('a call that is over is answered with {} and starts nothing', async () => {
		const before = (await editor.executions(id)).length;
		const call = { id: 5, status: 'completed', duration: 3, customer_phone: '+14155550109' };
		const { statuses, texts } = await post(await registered(), [call], 1);
		assert.deepEqual([statuses, texts], [[200], ['{}']]);
		assert.equal((await editor.executions(id)).length, before);
	});

	await check(
		'unpublishing removes the inbound webhook, and listening brings a test one',
		async () => {
			await editor.unpublish(id);
			await waitUntilUnregistered(environment, question);
			await editor.listen(id, CALL);
			assert.match(await registered(), new RegExp(`^${url}/webhook-test/[^/]+/starting/`));
			const { answers } = await ask(CALLERS.inTime);
			assert.deepEqual(answers, [VARIABLES]);
			await waitUntilUnregistered(environment, question);
		},
	);

	await check(
		'a question at Inbound Call Completed is answered with {}, and starts nothing',
		async () => {
			const asked = askedWorkflow(question, carol, blockingServer.urlExpression);
			const [first, ...others] = asked.nodes;
			assert.ok(first);
			const parameters = { ...first.parameters, triggerOn: 'inboundCallCompleted' };
			const nodes = [{ ...first, parameters }, ...others];
			const { id: other } = await editor.createWorkflow({ ...asked, nodes });
			await editor.publish(other);
			const { answers } = await ask(CALLERS.inTime);
			assert.deepEqual(answers, [{}]);
			assert.equal((await editor.executions(other)).length, 0);
			await editor.unpublish(other);
		},
	);
}
