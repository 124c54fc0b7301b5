import assert from 'node:assert/strict';

import type { Execution } from '../../host/api/execution.mts';
import { NoResponse } from '../../host/api/rest.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { waitFor } from '../../host/process/wait.mts';
import { httpGet, start, START, workflow } from '../support/workflows.mts';
import type { Bench } from './environment.mts';
import { withProbes } from './n8nProbes.mts';
import type { Subject } from './results.mts';
import type { BenchService, ServiceSettings } from './service.mts';

const RUN_LIMIT_MS = 20 * 60_000;

/** The name of the node that is measured. */
export const MEASURED = 'Measured';

/** The work of one node. */
export interface NodeWork extends Subject, ServiceSettings {
	/** named {@link MEASURED} */
	node: Workflow['nodes'][number];
}

/** A workflow of nodes in a row. */
export function chain(name: string, nodes: Workflow['nodes']): Workflow {
	const names = nodes.map((node) => node.name);
	const links = names.slice(1).map((to, index): [string, string] => [names[index] ?? '', to]);
	return workflow(name, nodes, links);
}

/**
 * Measures a node, with its preparation before the first request, but without the nodes before it and without n8n's
 * storing of the execution.
 *
 * @param claim what `verify` makes sure of
 */
export async function measureNode(
	{ editor, service, n8n, results, check }: Bench,
	{ work, by, node, ...settings }: NodeWork,
	claim: string,
	verify: (execution: Execution, counts: ReturnType<BenchService['counts']>) => void,
): Promise<Subject> {
	const subject = { work, by };
	const title = `${work}, by ${by}`;
	await check(`${title}: ${claim}`, async () => {
		const nodes = [start(), httpGet('Items', service.itemsUrl), node];
		const { id } = await editor.createWorkflow(chain(title, nodes));
		service.reset({ items: [{}], ...settings });
		await withProbes(n8n(), async (between) => {
			const executionId = await editor.start(id, START);
			const ended = waitFor(`${title} to end`, RUN_LIMIT_MS, async () =>
				editor.execution(executionId).catch(ignoreNoResponse),
			);
			const execution = await Promise.race([ended, n8n().failure]);
			verify(execution, service.counts());
			const run = execution.runs.find((one) => one.node === MEASURED);
			assert.ok(run, `The node did not run: ${execution.error ?? execution.status}`);
			const { startTime: from, executionTime } = run;
			const { requests } = service.counts();
			const time = executionTime / 1000;
			results.record(subject, { time, requests, ...between(from, from + executionTime) });
		});
	});
	return subject;
}

/** A busy n8n may not respond in time; the next request will tell. */
function ignoreNoResponse(error: unknown): undefined {
	if (error instanceof NoResponse) return undefined;
	throw error;
}
