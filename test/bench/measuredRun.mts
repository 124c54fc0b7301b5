import assert from 'node:assert/strict';

import type { Execution, NodeRun } from '../../host/api/execution.mts';
import { withProgress } from '../../host/process/progress.mts';
import { NoResponse } from '../../host/api/rest.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { START } from '../support/workflows.mts';
import type { BenchEnvironment } from './environment.mts';
import { withProbes, type N8nCondition } from './n8nProbes.mts';
import type { Counts, ServiceSettings } from './serviceClient.mts';

const RUN_LIMIT_MS = 20 * 60_000;

/** The measurements of one node's run. */
interface RunMetrics extends N8nCondition {
	/** in seconds */
	time: number;
	requests: number;
	/** the most requests at the same time */
	peakInFlight: number;
}

/** A measured run, for checks. */
export interface MeasuredRun {
	metrics: RunMetrics;
	counts: Counts;
	execution: Execution;
	/** the measured node's part of the execution */
	run: NodeRun;
}

/**
 * Runs a workflow and measures one of its nodes, with its preparation before the first request, but
 * without the nodes before it and without n8n's storing of the execution.
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
	const runToEnd = async (): Promise<Execution> => {
		const executionId = await editor.start(workflowId, START);
		return await waitFor(`${title} to end`, RUN_LIMIT_MS, async () => {
			counts = await service.counts();
			return await editor.execution(executionId).catch(ignoreNoResponse);
		});
	};
	return await withProbes(n8n(), async (between) => {
		const execution = await withProgress(
			title,
			() => `${counts.requests} requests`,
			async () => await Promise.race([runToEnd(), n8n().failure]),
		);
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

/** Runs workflows without measuring them, because n8n runs code slowly for the first time. */
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

/** A busy n8n may not respond in time; the next request will tell. */
export function ignoreNoResponse(error: unknown): undefined {
	if (error instanceof NoResponse) return undefined;
	throw error;
}
