import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { CALL, pollTrigger } from '../support/workflows.mts';
import { counted, measureList } from './lists.mts';
import { chain, ignoreNoResponse } from './measureNode.mts';
import { withProbes } from './n8nProbes.mts';
import { atMostMore } from './results.mts';
import type { Round } from './round.mts';

/** n8n polls once a minute. */
const POLL_LIMIT_MS = 5 * 60_000;
const BEFORE = 100;
const ASSISTANT = 1;

/** Measures a poll that finds many new calls, beside HTTP Request's pagination of the same calls. */
export async function polls(round: Round): Promise<void> {
	const { environment, results, quick, check } = round;
	const { editor, service, credential, n8n } = environment;
	const calls = quick ? 1_000 : 10_000;
	const subject = { work: `a poll that finds ${counted(calls)} calls`, by: 'Poll Trigger' };
	await check(`${subject.work}: each is output once, and n8n goes on`, async () => {
		await service.reset({ calls: BEFORE });
		const nodes = [pollTrigger(ASSISTANT, credential)];
		const { id: workflowId } = await editor.createWorkflow(chain('Poll', nodes));
		await editor.publish(workflowId);
		const ended = async () => {
			const [[id] = []] = await editor.executionStates(workflowId);
			return id === undefined ? undefined : await editor.execution(id);
		};
		await withProbes(n8n(), async (between) => {
			await service.reset({ calls: BEFORE + calls });
			const execution = await waitFor(
				'a poll',
				POLL_LIMIT_MS,
				async () => await ended().catch(ignoreNoResponse),
			);
			const { firstRequestAt, requests } = await service.counts();
			const run = execution.runs.find(({ node }) => node === CALL);
			assert.ok(run && firstRequestAt !== undefined);
			assert.equal(execution.status, 'success', execution.error);
			assert.deepEqual(
				getItems(execution, CALL).map((item) => item.id),
				Array.from({ length: calls }, (_, index) => BEFORE + 1 + index),
			);
			const to = run.startTime + run.executionTime;
			const time = (to - firstRequestAt) / 1000;
			results.record(subject, { time, requests, ...between(firstRequestAt, to) });
		});
		await editor.unpublish(workflowId);
	});
	const beside = await measureList(round, 'HTTP Request', 'calls', calls);
	results.expect('silence', subject, atMostMore(0.2), beside);
}
