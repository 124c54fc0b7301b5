import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { chosenAssistants } from '../shared/assistants/chosenAssistants';
import { findAssistants, findTool } from '../shared/assistants/find';
import { checkBaseUrl, credentialWithoutItem } from '../shared/client/credential';
import type { Deadline } from '../shared/client/deadline';
import { getSecret } from '../shared/midCallTools/toolCall';
import { isId } from '../shared/values/ids';
import { asText } from '../shared/values/json';
import { getOwner, type Owner } from '../shared/webhook/ownership';
import { registeredToken } from '../shared/webhook/registeredToken';
import { toHash, withToken } from '../shared/webhook/token';
import type { Purpose } from '../shared/webhook/token';
import { ownToken, webhookUrl } from '../shared/webhook/triggerContext';
import { getTools, type Assistants } from './attachment';
import * as messages from './messages';
import { storedTool } from './storedTool';

const PURPOSE: Purpose = ['midCallTool'];

/** The trigger has one purpose, whatever its fields say: its requests come to one tool. */
export const getPurpose = (): Purpose => PURPOSE;

/** What the trigger is set up for. */
export interface Target {
	/** The chosen assistants. */
	chosen: number[];
	/** The ID under *Existing Tool*; undefined when the trigger creates its tool. */
	existingToolId?: number;
}

/** What a hook reads before it decides. */
export interface State extends Target {
	/** The chosen assistants, and those that may still have the tool. Without those that do not exist. */
	assistants: Assistants;
	/** The ID of the tool, if the trigger knows one. */
	toolId?: number;
	/** The record of that tool, if an assistant has it. */
	tool?: IDataObject;
	/** Whose tool a record is. */
	getOwner: (tool: IDataObject) => Owner;
	/** The secret for a new registration. */
	token: string;
	/** Of the credential. */
	baseUrl: string;
}

/**
 * Reads which assistants and which tool the user chose.
 *
 * @throws {InvalidInput} or {NodeOperationError} when a field is empty or no ID
 */
export function readTarget(context: IHookFunctions): Target {
	const chosen = chosenAssistants(context);
	if (chosen.length === 0) throw new NodeOperationError(context.getNode(), messages.noAssistant);
	if (context.getNodeParameter('tool') !== 'existing') return { chosen };
	const entered = asText(context.getNodeParameter('toolId', '', { extractValue: true })).trim();
	if (isId(entered)) return { chosen, existingToolId: Number(entered) };
	throw new NodeOperationError(context.getNode(), messages.toolNotChosen(entered));
}

/**
 * Reads the same for a trigger that is removed. A field that is wrong was never registered, so the stored
 * assistants are all that count then.
 */
export function readRemovedTarget(context: IHookFunctions): Target {
	try {
		return readTarget(context);
	} catch {
		return { chosen: [] };
	}
}

/** The assistants whose tools the trigger may change. */
export const assistantsToRead = (context: IHookFunctions, { chosen }: Target): number[] => [
	...new Set([...chosen, ...(storedTool(context)?.assistantIds ?? [])]),
];

const isSamePath = (a: string, b: string): boolean => new URL(a).pathname === new URL(b).pathname;

/**
 * Reads the assistants, and finds the trigger's tool: the chosen one, else the stored one, else one of
 * the assistants' tools with this trigger's endpoint and secret.
 *
 * @throws {DescribedError} when the credential is wrong, or the service does not answer or refuses
 */
export async function readState(
	context: IHookFunctions,
	target: Target,
	deadline: Deadline,
): Promise<State> {
	const token = await ownToken(context, getPurpose());
	const ids = assistantsToRead(context, target);
	const baseUrl = checkBaseUrl((await credentialWithoutItem(context)).baseUrl);
	const { assistants } = await findAssistants(context, ids, deadline);

	const stored = storedTool(context);
	const tokenHashes = [toHash(token), registeredToken(context)?.hash ?? ''];
	const ownUrl = webhookUrl(context);
	const getToolOwner = (tool: IDataObject): Owner => {
		const endpoint = asText(tool.endpoint);
		const isStored = tool.id === stored?.toolId;
		const own = { webhookUrl: ownUrl, tokenHashes, isRegistered: isStored };
		if (!URL.canParse(endpoint)) return getOwner(undefined, own);
		// The stored tool with this endpoint may have an older secret.
		const secret = isStored && isSamePath(endpoint, ownUrl) ? token : getSecret(tool);
		return getOwner(withToken(endpoint, secret), own);
	};
	const tools = [...assistants.values()].flatMap(getTools);
	const isOwn = (tool: IDataObject) => getToolOwner(tool).startsWith('ours');
	const toolId =
		target.existingToolId ?? stored?.toolId ?? (tools.find(isOwn)?.id as number | undefined);
	const tool = tools.find(({ id }) => id === toolId);
	return { ...target, assistants, toolId, tool, getOwner: getToolOwner, token, baseUrl };
}

/**
 * Looks for the tool among all assistants when none of the chosen ones has it. A stored tool that belongs
 * to somebody else by now is forgotten: the trigger then creates another one.
 *
 * @throws {DescribedError} when the service does not answer or refuses
 */
export async function withUnseenTool(
	context: IHookFunctions,
	state: State,
	deadline: Deadline,
): Promise<State> {
	const { toolId, existingToolId, getOwner: getToolOwner } = state;
	if (toolId === undefined) return state;
	const tool = state.tool ?? (await findTool(context, toolId, deadline));
	const isLost = tool !== undefined && getToolOwner(tool) === 'foreign';
	if (isLost && existingToolId === undefined) {
		return { ...state, toolId: undefined, tool: undefined };
	}
	return { ...state, tool };
}
