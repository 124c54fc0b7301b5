import * as z from 'zod';

import { createSandboxClient } from '../../sandbox/client.mts';
import type { Workflow } from '../api/workflow.mts';
import { PACKAGE } from './names.mts';

/** The names of the sandbox's records by their IDs, each under the field that names such a record. */
export type RecordNames = Record<string, ReadonlyMap<string, string>>;

const record = z.object({ id: z.number(), name: z.string(), type: z.string().optional() });
const phoneNumber = z
	.object({ id: z.number(), phone_number: z.string() })
	.transform(({ id, phone_number: name }) => ({ id, name }));

/** Reads the names of all records that an example can name. @throws Error when the sandbox refuses */
export async function readRecordNames(sandbox: {
	control: string;
	controlToken?: string;
}): Promise<RecordNames> {
	const { request } = createSandboxClient(sandbox.control, sandbox.controlToken);
	const read = async <Shape extends z.ZodTypeAny>(path: string, shape: Shape) =>
		shape.parse((await request('GET', `/records/${path}`)).body) as z.output<Shape>;
	const list = async <Item extends z.ZodTypeAny>(path: string, item: Item) =>
		(await read(`${path}?limit=500`, z.object({ data: z.array(item) }))).data;
	const users = await list('users', z.object({ id: z.number() }));
	const withNumbers = z.object({ phone_numbers: z.array(phoneNumber) });
	const owners = await Promise.all(users.map(({ id }) => read(`users/${id}`, withNumbers)));
	return {
		assistantId: toNames(await list('assistants', record)),
		campaignId: toNames(await list('campaigns', record.omit({ type: true }))),
		phoneNumberId: toNames(owners.flatMap(({ phone_numbers: numbers }) => numbers)),
	};
}

/** As the pickers write them. */
const toNames = (records: Array<z.infer<typeof record>>): ReadonlyMap<string, string> =>
	new Map(
		records.map(({ id, name, type }) => [
			String(id),
			`${name} (ID ${id}${type === undefined ? '' : `, ${type}`})`,
		]),
	);

const typedId = z.object({ __rl: z.literal(true), mode: z.literal('id'), value: z.string() });

/**
 * Gives the workflow with the records of its nodes as if they were picked from a list: n8n shows the name
 * of such a record. The files of examples/ have IDs, because other accounts have other records.
 */
export function withRecordNames(workflow: Workflow, names: RecordNames): Workflow {
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith(`${PACKAGE}.`)
			? { ...node, parameters: withPickedRecords(node.parameters ?? {}, names) }
			: node,
	);
	return { ...workflow, nodes };
}

const withPickedRecords = (values: object, names: RecordNames): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(values).map(([field, value]) => [field, withPickedRecord(value, names, field)]),
	);

function withPickedRecord(value: unknown, names: RecordNames, field: string): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((entry) => withPickedRecord(entry, names, field));
	const { data: entered } = typedId.safeParse(value);
	const cachedResultName = entered && names[field]?.get(entered.value);
	return cachedResultName === undefined
		? withPickedRecords(value, names)
		: { ...entered, mode: 'list', cachedResultName };
}
