import assert from 'node:assert/strict';

import type { Execution, NodeRun } from '../../host/api/execution.mts';
import { NoResponse } from '../../host/api/rest.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { withProgress } from '../../host/process/progress.mts';
import { waitFor } from '../../host/process/wait.mts';
import { httpGet, start, START, workflow } from '../support/workflows.mts';
import { withProbes } from './n8nProbes.mts';
import type { Subject } from './results.mts';
import type { BenchEnvironment, Round } from './round.mts';
import type { Counts, ServiceSettings } from './serviceClient.mts';

const RUN_LIMIT_MS = 20 * 60_000;

type Node = Workflow['nodes'][number];

/** The name of the node that is measured. */
export const MEASURED = 'Measured';

/** The work of one node. */
export interface NodeWork extends Subject {
	/** named {@link MEASURED} */
	node: Node;
	/** what it gets; one empty item unless given */
	items?: ServiceSettings['items'];
	/** how the service behaves */
	settings?: Partial<ServiceSettings>;
}

/** What a node has done. */
export interface MeasuredRun {
	execution: Execution;
	/** the measured node's part of the execution */
	run: NodeRun;
	counts: Counts;
}

/** A workflow of nodes in a row. */
export function chain(name: string, nodes: Node[]): Workflow {
	const names = nodes.map((node) => node.name);
	const links = names.slice(1).map((to, index): [string, string] => [names[index] ?? '', to]);
	return workflow(name, nodes, links);
}

/** Runs a node, without measuring it. */
export async function runNode(
	{ editor, service, n8n }: BenchEnvironment,
	{ work, by, node, items = [{}], settings }: NodeWork,
): Promise<Execution> {
	const title = `${work}, by ${by}`;
	const nodes = [start(), httpGet('Items', service.itemsUrl), node];
	const { id } = await editor.createWorkflow(chain(title, nodes));
	await service.reset({ ...settings, items });
	const executionId = await editor.start(id, START);
	const ended = waitFor(`${title} to end`, RUN_LIMIT_MS, async () =>
		editor.execution(executionId).catch(ignoreNoResponse),
	);
	const running = async () => await Promise.race([ended, n8n().failure]);
	return await withProgress(title, () => 'running', running);
}

/**
 * Measures a node, with its preparation before the first request, but without the nodes before it and
 * without n8n's storing of the execution.
 *
 * @param claim what `verify` makes sure of
 */
export async function measureNode(
	{ environment, results, check }: Round,
	work: NodeWork,
	claim: string,
	verify: (measured: MeasuredRun) => void,
): Promise<Subject> {
	const subject = { work: work.work, by: work.by };
	await check(`${work.work}, by ${work.by}: ${claim}`, async () => {
		await withProbes(environment.n8n(), async (between) => {
			const execution = await runNode(environment, work);
			const counts = await environment.service.counts();
			const run = execution.runs.find(({ node }) => node === MEASURED);
			assert.ok(run, `The node did not run: ${execution.error ?? execution.status}`);
			verify({ execution, run, counts });
			const { startTime: from, executionTime } = run;
			const time = executionTime / 1000;
			const { requests } = counts;
			results.record(subject, { time, requests, ...between(from, from + executionTime) });
		});
	});
	return subject;
}

/** A busy n8n may not respond in time; the next request will tell. */
export function ignoreNoResponse(error: unknown): undefined {
	if (error instanceof NoResponse) return undefined;
	throw error;
}
