import { noteText, type Workflow } from '../api/workflow.mts';

/** How the notes of examples/ name the inspector, or how an earlier start has linked it. */
const INSPECTOR = /inspector \(`\/__sandbox\/`\)|\[inspector\]\(http[^)]*\/__sandbox\/\)/g;

/**
 * Gives a workflow whose notes link to the inspector: the files of examples/ cannot, because they do
 * not know its port. Nothing else changes. Undefined when the links are there already.
 *
 * @param inspector URL of the sandbox's page
 */
export function withInspectorLinks(workflow: Workflow, inspector: string): Workflow | undefined {
	const nodes = workflow.nodes.map((node) => {
		const text = noteText(node);
		const linked = text?.replaceAll(INSPECTOR, () => `[inspector](${inspector})`);
		return linked === text
			? node
			: { ...node, parameters: { ...node.parameters, content: linked } };
	});
	const isChanged = nodes.some((node, index) => node !== workflow.nodes[index]);
	return isChanged ? { ...workflow, nodes } : undefined;
}
