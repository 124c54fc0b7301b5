import { STICKY_NOTE, type Workflow } from '../../host/api/workflow.mts';
import { SET_UP } from '../../host/n8n/examples.mts';
import { ACTION } from '../../host/n8n/names.mts';

type Connections = Record<string, Record<string, ({ node: string }[] | null)[]>>;

/** Nodes that decide what goes on. */
const DECISIONS = ['if', 'switch', 'filter'].map((name) => `n8n-nodes-base.${name}`);
/** From a node to the next one, with room for their names. An agent is wider. */
const distance = (type = ''): number => (type.endsWith('.agent') ? 320 : 192);

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

/** The longest way from a node on which all goes well: on the first output of each node. */
function longestPath(workflow: Workflow, name: string, before: string[] = []): string[] {
	const been = [...before, name];
	const [next = []] = outputsOf(workflow, name);
	return next
		.filter((node) => !been.includes(node))
		.map((node) => longestPath(workflow, node, been))
		.reduce((longest, path) => (path.length > longest.length ? path : longest), been);
}

function only(workflow: Workflow, isKept: (name: string) => boolean): Workflow {
	const nodes = workflow.nodes.filter(({ name }) => isKept(name));
	const connections = Object.entries(workflow.connections).filter(([name]) => isKept(name));
	return { ...workflow, nodes, connections: Object.fromEntries(connections) };
}

/** Gives a workflow without its notes, and without what makes its tables. */
export function withoutSetUp(workflow: Workflow): Workflow {
	const setUp = reachedFrom(workflow, SET_UP);
	const notes = workflow.nodes.filter(({ type }) => type === STICKY_NOTE).map(({ name }) => name);
	return only(workflow, (name) => !setUp.has(name) && !notes.includes(name));
}

/**
 * Gives what can be read in a small picture of a workflow: its trigger, its last decision, and what comes of
 * that. A trigger alone has its tools.
 */
export function inShort(example: Workflow): Workflow {
	const workflow = withoutSetUp(example);
	const trigger = workflow.nodes[0]?.name ?? '';
	const find = (name: string) => workflow.nodes.find((node) => node.name === name);
	const isAction = (name: string) => find(name)?.type === ACTION;
	const isChange = (name: string) =>
		isAction(name) && !/^get/i.test(String(find(name)?.parameters?.operation));
	const isDecision = (name: string) => DECISIONS.includes(find(name)?.type ?? '');

	const path = longestPath(workflow, trigger).slice(1);
	const result = path.findLast(isChange) ?? path.at(-1);
	if (result === undefined) {
		const tools = Object.entries(workflow.connections as Connections)
			.filter(([, to]) => to.ai_tool?.flat().some((end) => end?.node === trigger))
			.map(([name]) => name);
		return only(workflow, (name) => name === trigger || tools.includes(name));
	}
	const between = path.slice(0, path.indexOf(result));
	const decision =
		between.findLast(isDecision) ?? between.findLast(isAction) ?? between.at(-1) ?? trigger;
	const nextTo = outputsOf(workflow, decision);
	const outputs = nextTo.flat().includes(result) ? nextTo : [[result]];

	const columns = [[trigger], [decision], outputs.flat()].filter(
		([name], index) => index !== 1 || name !== trigger,
	);
	let x = 0;
	const nodes = columns.flatMap((names) => {
		const column = names.map((name, row) => ({ ...find(name), position: [x, row * distance()] }));
		x += distance(column[0]?.type);
		return column;
	});
	const main = (ends: string[][]) => ({
		main: ends.map((names) => names.map((node) => ({ node, type: 'main', index: 0 }))),
	});
	const connections = { [trigger]: main([[decision]]), [decision]: main(outputs) };
	return { ...workflow, nodes: nodes as Workflow['nodes'], connections };
}
