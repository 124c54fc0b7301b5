import assert from 'node:assert/strict';

import { itemsOf, type Execution } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { CALL, pollTrigger, workflow } from '../support/workflows.mts';
import { measureList } from './callLists.mts';
import { ignoreNoResponse } from './measuredRun.mts';
import { withProbes } from './n8nProbes.mts';
import type { Round } from './round.mts';

/** n8n polls once a minute. */
const POLL_LIMIT_MS = 5 * 60_000;
const BEFORE = 100;
const ASSISTANT = 1;

/** Measures a poll that finds many new calls, beside HTTP Request's pagination of the same calls. */
export async function polls(round: Round): Promise<void> {
	const { environment, results, quick, check } = round;
	const { editor, service, credential, n8n } = environment;
	await environment.restart();
	const calls = quick ? 1_000 : 10_000;
	const subject = {
		work: `a poll that finds ${calls.toLocaleString('en')} calls`,
		by: 'Poll Trigger',
	};
	const ended = async (workflowId: string): Promise<Execution | undefined> => {
		const [[id] = []] = await editor.executionStates(workflowId);
		return id === undefined ? undefined : await editor.execution(id);
	};
	await check(`${subject.work}: each is output once, and n8n goes on`, async () => {
		await service.reset({ calls: BEFORE });
		const { id } = await editor.createWorkflow(
			workflow('Poll', [pollTrigger(ASSISTANT, credential)]),
		);
		await editor.publish(id);
		await withProbes(n8n(), async (between) => {
			await service.reset({ calls: BEFORE + calls });
			const execution = await waitFor(
				'a poll',
				POLL_LIMIT_MS,
				async () => await ended(id).catch(ignoreNoResponse),
			);
			const { firstRequestAt, requests } = await service.counts();
			const run = execution.runs.find(({ node }) => node === CALL);
			assert.ok(run && firstRequestAt !== undefined);
			const to = run.startTime + run.executionTime;
			assert.equal(execution.status, 'success', execution.error);
			assert.deepEqual(
				itemsOf(execution, CALL).map((item) => item.id),
				Array.from({ length: calls }, (_, index) => BEFORE + 1 + index),
			);
			results.record(subject, {
				time: (to - firstRequestAt) / 1000,
				requests,
				...between(firstRequestAt, to),
			});
		});
		await editor.unpublish(id);
	});
	const beside = await measureList(round, 'HTTP Request', calls, { occasion: ', beside a poll' });
	results.expect('silence', subject, beside, { atMost: 0.2 }, 'difference');
}
