import type { Execution } from '../../host/api/execution.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { start, START, workflow } from '../support/workflows.mts';
import type { E2eServers } from './testEnvironment.mts';

/** Runs a workflow of one node, on these items. @returns the execution, also one that failed */
export async function runNode(
	{ editor }: E2eServers,
	node: Workflow['nodes'][number],
	items: object[] = [{}],
): Promise<Execution> {
	const definition = workflow(node.name, [start(), node], [[START, node.name]]);
	const pinData = { [START]: items.map((json) => ({ json })) };
	const { id } = await editor.createWorkflow({ ...definition, pinData });
	return await editor.run(id, START);
}
