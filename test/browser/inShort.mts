import { STICKY_NOTE, type Workflow } from '../../host/api/workflow.mts';
import { SET_UP } from '../../host/n8n/examples.mts';
import { ACTION } from '../../host/n8n/names.mts';

type Connections = Record<string, Record<string, ({ node: string }[] | null)[]>>;

/** Nodes that decide what goes on. */
const DECISIONS = ['if', 'switch', 'filter'].map((name) => `n8n-nodes-base.${name}`);
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

/** From a node to the next one, with room for their names. */
const COLUMN = 224;
const ROW = 208;
/** From a trigger to an agent, which is wider. */
const TO_AGENT = 144;
/** From a tool, which is round, to one that can be wider. */
const TO_TOOL = 176;

type Position = [x: number, y: number];

/** Puts nodes of a workflow at these places, and leaves the others out. */
function placed(workflow: Workflow, places: [name: string, place: Position][]): Workflow {
	const positions = new Map(places);
	const { nodes, ...others } = only(workflow, (name) => positions.has(name));
	const moved = nodes.map((node) => ({ ...node, position: positions.get(node.name) }));
	return { ...others, nodes: moved };
}

/** The first and the last tool of a trigger, or of the agent behind it, below it. */
function withTools(workflow: Workflow, shown: string[]): Workflow | undefined {
	const owner = shown.at(-1) ?? '';
	const tools = Object.entries(workflow.connections as Connections)
		.filter(([, to]) => to.ai_tool?.flat().some((end) => end?.node === owner))
		.map(([name]) => name)
		.filter((_, index, all) => index === 0 || index === all.length - 1);
	if (tools.length === 0) return undefined;
	return placed(workflow, [
		...shown.map((name, index): [string, Position] => [name, [index * TO_AGENT, 0]]),
		...tools.map((name, index): [string, Position] => [name, [index * TO_TOOL, ROW]]),
	]);
}

/**
 * Gives what can be read in a small picture of a workflow: its trigger, its last decision, our node that acts
 * on it, and what else comes of that. Tools of a trigger or of an agent are shown instead.
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
	const tools = withTools(workflow, [trigger, ...path.slice(0, 1)]);
	if (tools !== undefined) return tools;

	const change = path.findLast(isChange);
	const action = change ?? path.findLast(isAction) ?? path.at(-1) ?? '';
	const before = path.slice(0, path.indexOf(action));
	const decision =
		before.findLast(isDecision) ??
		before.findLast(isAction) ??
		(isAction(action) ? undefined : before.at(-1));
	const last = decision ?? trigger;
	const next = outputsOf(workflow, last);
	const other = next.flat().includes(action)
		? next.flat().find((name) => name !== action)
		: undefined;
	const after = change === undefined ? path.at(-1) : path[path.indexOf(action) + 1];
	const result = after === action ? undefined : after;

	const to = (ends: string[][]) => ({
		main: ends.map((names) => names.map((node) => ({ node, type: 'main', index: 0 }))),
	});
	const connections = {
		...(decision !== undefined && { [trigger]: to([[decision]]) }),
		...(other === undefined && result !== undefined && { [action]: to([[result]]) }),
		[last]: other === undefined ? to([[action]]) : to(next),
	};
	const right: Position = [COLUMN, 0];
	const below: Position[] = [
		[0, ROW],
		[COLUMN, ROW],
	];
	const places: [string | undefined, Position?][] =
		decision === undefined
			? [
					[action, right],
					[other ?? result, other === undefined ? [COLUMN / 2, ROW] : below[1]],
				]
			: other !== undefined
				? // Its line runs below the name of the trigger then.
					[
						[decision, right],
						[action, below[1]],
						[other, below[0]],
					]
				: result !== undefined
					? [
							[decision, right],
							[action, below[0]],
							[result, below[1]],
						]
					: [
							[decision, right],
							[action, [COLUMN / 2, ROW]],
						];
	const shown = places.flatMap(([name, place]): [string, Position][] =>
		name === undefined || place === undefined ? [] : [[name, place]],
	);
	return placed({ ...workflow, connections }, [[trigger, [0, 0]], ...shown]);
}
