import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const anything = z.record(z.unknown());
const node = z
	.object({
		name: z.string(),
		type: z.string(),
		parameters: anything.optional(),
		credentials: z.record(z.object({ name: z.string() }).passthrough()).optional(),
	})
	.passthrough();
const workflow = z
	.object({ name: z.string(), nodes: z.array(node), connections: anything, settings: anything })
	.passthrough();

/** A workflow in the format that n8n's editor downloads and imports. */
export type Workflow = z.infer<typeof workflow>;

export const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

const note = z.object({
	type: z.literal(STICKY_NOTE),
	parameters: z.object({ content: z.string().default('') }),
});

/** The text of a sticky note; undefined for other nodes. */
export const noteText = (node: object): string | undefined =>
	note.safeParse(node).data?.parameters.content;

export interface CredentialRef {
	id: string;
	name: string;
	type: string;
}

/** Checks that a value is a workflow. @throws Error when it is none */
export const parseWorkflow = (value: unknown): Workflow => workflow.parse(value);

/** Reads a workflow file. @throws Error when the file is not a workflow */
export const readWorkflow = async (file: string): Promise<Workflow> =>
	parseWorkflow(JSON.parse(await readFile(file, 'utf8')));

/** Gives the workflow with the credential on each node that uses one of its type. */
export function withCredential(source: Workflow, { id, name, type }: CredentialRef): Workflow {
	const nodes = source.nodes.map((node) =>
		node.credentials !== undefined && type in node.credentials
			? { ...node, credentials: { ...node.credentials, [type]: { id, name } } }
			: node,
	);
	return { ...source, nodes };
}
