import { toolIdsOf, type AssistantAddress, type AssistantReader } from './assistantRecord.mts';
import type { Row } from './read/page.mts';
import { requireAccepted, requireOurs } from './outcome.mts';
import type { Run } from './run.mts';
import { CannotCheck } from './stop.mts';
import type { AssistantUndo } from './undo.mts';

/** Sends the tools of an assistant. @returns its record after that */
export async function putTools(
	{ client }: Run,
	assistant: AssistantAddress,
	reader: AssistantReader,
	tool_ids: number[],
): Promise<Row> {
	const response = await client.write('PUT', `/user/assistant/${assistant.id}`, { tool_ids });
	requireAccepted(response, 'a change of `tool_ids`');
	return reader.read();
}

/**
 * Attaches a tool beside those that the assistant has.
 *
 * @returns all its tools after that
 * @throws {CannotCheck} when that is refused or has no effect, or the record does not show its tools
 */
export async function attachTool(
	run: Run,
	assistant: AssistantAddress,
	reader: AssistantReader,
	toolId: number,
): Promise<number[]> {
	const before = toolIdsOf(await reader.read());
	// Otherwise the assistant would get tools that it never had.
	if (before.includes(toolId)) {
		throw new CannotCheck('The record shows tools that the assistant does not have.');
	}
	const undo: AssistantUndo = { kind: 'attached tool', assistant, before, toolId };
	await run.undoLog.add(undo);
	const record = await putTools(run, assistant, reader, [...before, toolId]);
	requireOurs(undo, record);
	return toolIdsOf(record);
}
