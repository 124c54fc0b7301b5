import { z } from 'zod';
import { ACTION } from '../../host/n8n/names.mts';
import { leavesOutWhoWantsNoCalls } from './doNotCallNodes.mts';
import type { Example, ExampleNode } from './example.mts';

const ACTION_AS_TOOL = `${ACTION}Tool`;

const call = z.union([
	z.object({ resource: z.literal('lead'), operation: z.literal('create') }),
	z.object({ resource: z.literal('campaign'), operation: z.literal('start') }),
	z.object({
		resource: z.literal('lead'),
		operation: z.literal('update'),
		updateFields: z.object({ status: z.literal('created') }),
	}),
]);

const callsSomebody = ({ type, parameters }: ExampleNode): boolean =>
	[ACTION, ACTION_AS_TOOL].includes(type) && call.safeParse(parameters).success;

/** The names of the nodes that call somebody, and that an item reaches without a look into Do not call. */
export function callsWithoutLookUp({ nodes, connections }: Example): string[] {
	const outputs = (name: string) =>
		(connections[name]?.main ?? []).map((output) => output.map(({ node }) => node));
	const next = (name: string) => outputs(name).flat();
	const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
		next(from).some(
			(name) => name === to || (!seen.has(name) && reaches(name, to, seen.add(name))),
		);
	const followers = new Set(nodes.flatMap(({ name }) => next(name)));
	const reached = new Set<string>();
	const visit = (name: string): void => {
		const node = nodes.find((each) => each.name === name);
		if (node === undefined || reached.has(name)) return;
		reached.add(name);
		const before = nodes.filter((each) => reaches(each.name, name));
		const unchecked = leavesOutWhoWantsNoCalls(node, before)
			? outputs(name).slice(1)
			: outputs(name);
		unchecked.flat().forEach(visit);
	};
	nodes.filter(({ name }) => !followers.has(name)).forEach(({ name }) => visit(name));
	return nodes
		.filter((node) => callsSomebody(node) && reached.has(node.name))
		.map(({ name }) => name);
}
