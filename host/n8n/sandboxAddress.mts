import type { Workflow } from '../api/workflow.mts';

/** The base URL of the sandbox in examples/. */
const USUAL_ADDRESS = 'http://127.0.0.1:4010/api';

/** Gives the workflow with the base URL of this sandbox, where it has that of the usual one. */
export function withSandboxAddress(workflow: Workflow, url: string): Workflow {
	const nodes = JSON.stringify(workflow.nodes).replaceAll(USUAL_ADDRESS, url);
	return { ...workflow, nodes: JSON.parse(nodes) as Workflow['nodes'] };
}
