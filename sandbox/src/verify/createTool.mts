import { isObject } from './describe.mts';
import { isAccepted } from './outcome.mts';
import type { Row } from './read/page.mts';
import type { Run } from './run.mts';
import { CannotCheck } from './stop.mts';

/** Fields of a tool that a request sends. */
interface ToolFields extends Row {
	name: string;
}

/**
 * Creates a tool. It remains, because no request deletes one.
 *
 * @returns the record
 * @throws {CannotCheck} when it is refused, or the answer does not name it
 */
export async function createTool({ client, undoLog }: Run, fields: ToolFields): Promise<Row> {
	const creation = { kind: 'creation', what: `the tool ${fields.name}` } as const;
	await undoLog.add(creation);
	const { status, body } = await client.write('POST', '/user/tools', fields);
	if (!isAccepted({ status })) {
		await undoLog.remove(creation);
		throw new CannotCheck(`The service refused to create a tool (${status}).`);
	}
	const tool = isObject(body) ? body['data'] : undefined;
	const id = Number(isObject(tool) ? (tool['id'] ?? NaN) : NaN);
	if (!isObject(tool) || !Number.isSafeInteger(id))
		throw new CannotCheck('The service created a tool and did not name it.');
	await undoLog.add({ kind: 'creation', what: `tool ${id} (${fields.name})` });
	await undoLog.remove(creation);
	return tool;
}
