import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { isRecord } from '../shared/values/json';
import { triggerKey } from '../shared/webhook/triggerContext';

/** What the trigger remembers of its tool: not every service lists tools. */
interface StoredTool {
	toolId: number;
	/** The assistants that have the tool, or may have it after a publish that failed half way. */
	assistantIds: number[];
	/** Whether an assistant showed the tool before it was given to it. */
	isShownToAll?: boolean;
	/** What the last publish has done, as text, where the service does not show it. */
	published?: string;
}

/** Static data of a node are lost when it is renamed (n8n.md#static-data-of-a-node), so these belong to the workflow. */
const toolsIn = (context: IHookFunctions): IDataObject => {
	const data = context.getWorkflowStaticData('global');
	if (!isRecord(data.midCallTools)) data.midCallTools = {};
	return data.midCallTools as IDataObject;
};

/** Reads what was stored; undefined for a new trigger, a copy, and in a test (n8n.md#static-data-of-a-node). */
export function storedTool(context: IHookFunctions): StoredTool | undefined {
	const stored = toolsIn(context)[context.getNode().id];
	if (!isRecord(stored) || stored.trigger !== triggerKey(context)) return undefined;
	const { toolId, assistantIds, isShownToAll, published } = stored as IDataObject & StoredTool;
	return { toolId, assistantIds, isShownToAll, published };
}

export function storeTool(context: IHookFunctions, tool: StoredTool): void {
	toolsIn(context)[context.getNode().id] = { trigger: triggerKey(context), ...tool };
}
