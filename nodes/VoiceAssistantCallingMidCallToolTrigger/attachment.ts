import type { IDataObject } from 'n8n-workflow';

import { isBuiltIn, toolsOf } from '../shared/assistants/assistantTools';
import { recordsIn } from '../shared/values/json';
import { keptTools, type OtherTools } from './otherTools';

/** Assistant records by ID (contract: Assistant record). */
export type Assistants = Map<number, IDataObject>;

/** The mid call tools in an assistant's record. */
export const getTools = (assistant: IDataObject): IDataObject[] =>
	recordsIn(assistant.tools).filter((tool) => !isBuiltIn(tool));

/**
 * The IDs of an assistant's tools. A change replaces the whole list (contract: `tool_ids`).
 *
 * @returns undefined when the record does not have all of them: then a change would detach tools unseen
 */
export function getToolIds(assistant: IDataObject): number[] | undefined {
	const ids = toolsOf(assistant) && getTools(assistant).map(({ id }) => id);
	if (!ids) return undefined;
	const { tool_ids: others } = assistant;
	const isWhole =
		!Array.isArray(others) || others.every((id) => ids.map(String).includes(String(id)));
	return isWhole && ids.every((id) => Number.isInteger(id)) ? (ids as number[]) : undefined;
}

/** The tools that an assistant has, and those that it should get. */
export interface Attachment {
	assistantId: number;
	before: IDataObject[];
	tools: IDataObject[];
}

/** The IDs of the tools that an assistant should get, each once (contract: `tool_ids`). */
export const idsOf = (tools: IDataObject[]): unknown[] => [...new Set(tools.map(({ id }) => id))];

/** The chosen assistants, those that may still have the tool, and what is known of other tools. */
interface Holders {
	assistants: Assistants;
	chosen: number[];
	had: number[];
	otherTools?: OtherTools;
}

/**
 * Finds out which assistants need another list of tools: each chosen assistant gets the tool, all others
 * lose it, and nobody loses a tool that is not this trigger's. Where no record shows the tools, each assistant
 * gets its list that may have another one.
 *
 * @param tool its record; undefined to detach only
 * @param isOwn whether a tool is this trigger's
 */
export function attachmentsFor(
	{ assistants, chosen, had, otherTools }: Holders,
	tool: IDataObject | undefined,
	isOwn: (tool: IDataObject) => boolean,
): Attachment[] {
	return [...assistants].flatMap(([assistantId, assistant]) => {
		const wanted = chosen.includes(assistantId) ? tool : undefined;
		if (otherTools) {
			const before = keptTools(otherTools, assistantId);
			const tools = wanted ? [...before, wanted] : before;
			return wanted || had.includes(assistantId) ? [{ assistantId, before, tools }] : [];
		}
		if (!getToolIds(assistant)) return [];
		const before = getTools(assistant);
		const kept = before.filter((each) => each.id === wanted?.id || !isOwn(each));
		const isAdded = wanted !== undefined && !idsOf(kept).includes(wanted.id);
		const tools = isAdded ? [...kept, wanted] : kept;
		return tools.length === before.length && !isAdded ? [] : [{ assistantId, before, tools }];
	});
}
