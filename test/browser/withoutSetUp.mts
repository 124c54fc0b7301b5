import { STICKY_NOTE, type Workflow } from '../../host/api/workflow.mts';
import { SET_UP } from '../../host/n8n/examples.mts';

type Connections = Record<string, Record<string, ({ node: string }[] | null)[]>>;

/** The nodes behind a node, by output. */
const outputsOf = ({ connections }: Workflow, name: string): string[][] =>
	((connections as Connections)[name]?.main ?? []).map((ends) =>
		(ends ?? []).map(({ node }) => node),
	);

/** All nodes behind a node, and itself. */
function reachedFrom(workflow: Workflow, name: string, reached = new Set<string>()): Set<string> {
	if (reached.has(name)) return reached;
	reached.add(name);
	for (const next of outputsOf(workflow, name).flat()) reachedFrom(workflow, next, reached);
	return reached;
}

function only(workflow: Workflow, isKept: (name: string) => boolean): Workflow {
	const nodes = workflow.nodes.filter(({ name }) => isKept(name));
	const kept = Object.entries(workflow.connections as Connections).filter(([name]) => isKept(name));
	const connections = kept.map(([name, types]) => {
		const ends = Object.entries(types).map(([type, outputs]): [string, { node: string }[][]] => [
			type,
			outputs.map((output) => (output ?? []).filter(({ node }) => isKept(node))),
		]);
		return [name, Object.fromEntries(ends)] as const;
	});
	return { ...workflow, nodes, connections: Object.fromEntries(connections) };
}

/** Gives a workflow without its notes, and without what makes its tables. */
export function withoutSetUp(workflow: Workflow): Workflow {
	const setUp = reachedFrom(workflow, SET_UP);
	const notes = workflow.nodes.filter(({ type }) => type === STICKY_NOTE).map(({ name }) => name);
	return only(workflow, (name) => !setUp.has(name) && !notes.includes(name));
}
