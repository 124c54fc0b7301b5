import assert from 'node:assert/strict';

import type { Execution, NodeRun } from '../../host/api/execution.mts';
import { showProgress } from '../../host/process/progress.mts';
import { NoAnswer } from '../../host/api/rest.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { START } from '../support/workflows.mts';
import type { BenchEnvironment } from './environment.mts';
import { withProbes, type N8nCondition } from './n8nProbes.mts';
import type { Counts, ServiceSettings } from './serviceClient.mts';

const RUN_LIMIT_MS = 20 * 60_000;

/** What a run of one node cost. */
export interface Metrics extends N8nCondition {
	/** in seconds */
	time: number;
	requests: number;
	/** the most requests that were under way at the same time */
	peakInFlight: number;
}

/** A run that was measured, with what its checks need. */
export interface MeasuredRun {
	metrics: Metrics;
	counts: Counts;
	execution: Execution;
	/** the measured node's own part of the execution */
	run: NodeRun;
}

/**
 * Runs a workflow and measures one of its nodes, from the moment n8n enters it: what comes before
 * its first request counts, what generates its items and what n8n stores afterwards does not.
 *
 * @param title what is measured, for the progress line
 * @param node name of the node
 * @param settings how the service behaves during the run
 */
export async function measureRun(
	{ editor, service, n8n }: BenchEnvironment,
	title: string,
	workflow: Workflow,
	node: string,
	settings: Partial<ServiceSettings>,
): Promise<MeasuredRun> {
	const { id: workflowId } = await editor.createWorkflow(workflow);
	await service.reset(settings);
	let counts = await service.counts();
	const endProgress = showProgress(title, () => `${counts.requests} requests`);
	const runToEnd = async (): Promise<Execution> => {
		const executionId = await editor.start(workflowId, START);
		return await waitFor(`${title} to end`, RUN_LIMIT_MS, async () => {
			counts = await service.counts();
			return await editor.execution(executionId).catch(ignoreNoAnswer);
		});
	};
	return await withProbes(n8n(), async (between) => {
		const execution = await Promise.race([runToEnd(), n8n().failure]).finally(endProgress);
		counts = await service.counts();
		const run = execution.runs.find((one) => one.node === node);
		assert.ok(run, `The execution did not reach the node: ${execution.error ?? execution.status}`);
		return {
			metrics: {
				time: run.executionTime / 1000,
				requests: counts.requests,
				peakInFlight: counts.peakInFlight,
				...between(run.startTime, run.startTime + run.executionTime),
			},
			counts,
			execution,
			run,
		};
	});
}

/** Runs workflows without measuring them: code that n8n runs for the first time is slow. */
export async function warmUp(
	{ editor, service }: BenchEnvironment,
	workflows: Workflow[],
	settings: Partial<ServiceSettings> = {},
): Promise<void> {
	await service.reset(settings);
	for (const workflow of workflows) {
		const { id } = await editor.createWorkflow(workflow);
		await editor.run(id, START);
	}
}

/** An n8n that is silent for long times out, or cuts the connection. The question is asked again. */
function ignoreNoAnswer(error: unknown): undefined {
	if (error instanceof NoAnswer) return undefined;
	throw error;
}
