import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { ProcessMemory } from '../shared/processMemory';
import { getTools } from './attachment';
import type { ToolState } from './readToolState';
import { storedTool } from './storedTool';

/** The services that show the tools of the account at each assistant, by Base URL. */
const showsAllTools = new ProcessMemory<true>('showsAllTools');

/** Remembers that a service showed a tool at an assistant that did not get it. */
export const noteAllTools = ({ baseUrl }: ToolState): void => showsAllTools.set(baseUrl, true);

/**
 * Finds the trigger's tool at an assistant to which the trigger has not given it: then the list seems to show
 * the tools of the account (contract: tools *available* to the assistant). A change of the assistant could
 * give it tools of others.
 */
export function ungivenTool(
	context: IHookFunctions,
	{ assistants, baseUrl, getOwner }: ToolState,
	assistantId: number,
): IDataObject | undefined {
	const tools = getTools(assistants.get(assistantId) ?? {});
	if (showsAllTools.get(baseUrl)) return tools.find((tool) => getOwner(tool).startsWith('ours'));
	const stored = storedTool(context);
	return stored?.isShownToAll ? tools.find(({ id }) => id === stored.toolId) : undefined;
}
