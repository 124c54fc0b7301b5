import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { isTest, webhookUrl } from '../shared/webhook/triggerContext';
import { assistantNotFound } from '../shared/webhook/sharedTexts';
import { getToolIds, getTools } from './attachment';
import { readReplaceTool, type ToolDefinition } from './definition';
import * as messages from './toolMessages';
import { keptTools, whyUnknown } from './otherTools';
import type { ToolState } from './readToolState';
import { storedTool } from './storedTool';
import { assistantsOf } from './toolEndpoint';
import { ungivenTool } from './ungivenTool';

/** The message when the tool must not be registered, or undefined. Nothing was changed yet. */
export function toolRefusal(
	context: IHookFunctions,
	state: ToolState,
	{ name }: ToolDefinition,
): string | undefined {
	const { chosen, assistants, existingToolId, toolId, tool, getOwner, otherTools } = state;
	const isOwn = (each: IDataObject) => getOwner(each).startsWith('ours');
	if (tool && isTest(context)) {
		if (!isOwn(tool)) return messages.toolTakenInTest(tool, webhookUrl(context));
		// After an unpublish, the endpoint has the production URL, and says that no assistant has the tool.
		const isLive =
			getOwner(tool) === 'ours-in-other-mode' && assistantsOf(tool.endpoint)?.length !== 0;
		if (isLive) return messages.toolListeningRefused(tool);
	}
	if (isTest(context) && existingToolId === undefined) return messages.listeningNeedsTool;

	const lost = chosen.find((id) => !assistants.has(id));
	if (lost !== undefined) return assistantNotFound(lost);
	const unknown = otherTools && whyUnknown(otherTools);
	if (unknown) return unknown;
	const { said, inAccount } = otherTools ?? {};
	const gone = inAccount && said?.find((id) => !inAccount.some((each) => each.id === id));
	if (gone !== undefined) return messages.otherToolNotFound(gone);
	for (const [id, assistant] of assistants) {
		if (!otherTools && !getToolIds(assistant)) return messages.toolsUnreadable(assistant);
		const ungiven = ungivenTool(context, state, id);
		if (ungiven) return messages.showsAllTools(assistant, ungiven);
		const isNamed = (each: IDataObject) => each.name === name && each.id !== toolId;
		const others = otherTools ? keptTools(otherTools, id) : getTools(assistant);
		const other = others.find(isNamed);
		if (other && !isOwn(other)) return messages.nameTaken(assistant, other);
	}

	if (existingToolId === undefined || readReplaceTool(context)) return undefined;
	if (tool) return isOwn(tool) ? undefined : messages.toolTaken(tool, webhookUrl(context));
	const isKnown = storedTool(context)?.toolId === existingToolId;
	return isKnown ? undefined : messages.toolNotVisible(existingToolId);
}
