import { z } from 'zod';
import { ACTION } from '../../host/n8n/names.mts';
import type { Example, ExampleNode } from './example.mts';

const READ = 'Read Do not call';
const NUMBERS = `={{ $('${READ}').all().filter(({ json }) => json.id).map(({ json }) => json.phone_number) }}`;

const read = z.object({
	name: z.literal(READ),
	executeOnce: z.literal(true),
	alwaysOutputData: z.literal(true),
	parameters: z.object({
		resource: z.literal('row'),
		operation: z.literal('get'),
		dataTableId: z.object({ value: z.literal('Do not call') }),
		returnAll: z.literal(true),
		filters: z.undefined(),
	}),
});

const callAgain = z.object({ status: z.literal('created') });

const reaching = z.union([
	z.object({ resource: z.literal('lead'), operation: z.literal('create') }),
	z.object({
		resource: z.literal('lead'),
		operation: z.literal('update'),
		updateFields: callAgain,
	}),
	z.object({ resource: z.literal('call'), operation: z.literal('make') }),
	z.object({ resource: z.literal('sms'), operation: z.literal('send') }),
]);

const leavesOut = z.object({
	options: z.object({ doNotCall: z.literal(NUMBERS) }),
	// The option compares the numbers of the request: an update has one only if it sets it.
	updateFields: callAgain.extend({ phoneNumber: z.string() }).optional(),
});

const isAction = ({ type }: ExampleNode) => [ACTION, `${ACTION}Tool`].includes(type);
const fits = (schema: z.ZodTypeAny, value: unknown) => schema.safeParse(value).success;

/** Whether a node adds, calls or texts somebody. */
export const reachesSomebody = (node: ExampleNode): boolean =>
	isAction(node) && fits(reaching, node.parameters);

/** Which node runs after which. The tools of an agent run after it began. */
const runsAfter = ({ connections }: Example) =>
	Object.entries(connections).flatMap(([name, outputs]) =>
		Object.values(outputs)
			.flat(2)
			.map(({ node, type }) =>
				type === 'main' ? { first: name, then: node } : { first: node, then: name },
			),
	);

/** The nodes that add, call or text somebody, and do not leave out who is in Do not call. */
export function reachesWhoWantsNoCalls(example: Example): string[] {
	const pairs = runsAfter(example);
	const followers = new Set(pairs.map(({ then }) => then));
	const names = example.nodes.map(({ name }) => name);
	const reached = new Set(names.filter((name) => !followers.has(name)));
	// The loop also goes through what it adds.
	for (const name of reached) {
		const node = example.nodes.find((each) => each.name === name);
		if (fits(read, node)) continue;
		pairs.filter(({ first }) => first === name).forEach(({ then }) => reached.add(then));
	}
	return example.nodes
		.filter(reachesSomebody)
		.filter(({ name, parameters }) => reached.has(name) || !fits(leavesOut, parameters))
		.map(({ name }) => name);
}
