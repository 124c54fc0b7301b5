import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { isBuiltIn } from '../shared/assistants/assistantTools';
import { chosenAssistants } from '../shared/assistants/chosenAssistants';
import { findAssistants, findInList } from '../shared/assistants/find';
import { checkBaseUrl, credentialWithoutItem } from '../shared/client/credential';
import type { Deadline } from '../shared/client/deadline';
import type { RecordList } from '../shared/client/recordList';
import { LIST_PATHS, readList } from '../shared/lists/readList';
import { getSecret } from '../shared/midCallTools/toolCall';
import { toContractRecord } from '../shared/records/contractRecord';
import { recordShapes } from '../shared/records/recordShapes';
import { isId } from '../shared/values/ids';
import { asText, recordsIn } from '../shared/values/json';
import { getOwner, type Owner } from '../shared/webhook/ownership';
import { registeredToken, type RegisteredToken } from '../shared/webhook/registeredToken';
import { toHash } from '../shared/values/hash';
import { isSameToken, withToken } from '../shared/webhook/token';
import type { Purpose } from '../shared/webhook/token';
import { isTest, ownToken, tokenOfUrl, webhookUrl } from '../shared/webhook/triggerContext';
import { getTools, type Assistants } from './attachment';
import { readOtherTools } from './definition';
import * as messages from './toolMessages';
import type { OtherTools } from './otherTools';
import { storedTool } from './storedTool';
import { assistantsOf } from './toolEndpoint';
import { readTool } from './toolRequests';

const PURPOSE: Purpose = ['midCallTool'];

/** The trigger has one purpose, whatever its fields say: its requests come to one tool. */
export const getToolPurpose = (): Purpose => PURPOSE;

/** What the trigger is set up for. */
export interface ToolTarget {
	/** The chosen assistants. */
	chosen: number[];
	/** The ID under *Existing Tool*; undefined when the trigger creates its tool. */
	existingToolId?: number;
	/** The IDs of the assistants' other tools, as the user says; undefined when it was not said. */
	said?: number[];
}

/** What a hook reads before it decides. */
export interface ToolState extends ToolTarget {
	/** The chosen assistants, and those that may still have the tool. Without those that do not exist. */
	assistants: Assistants;
	/** The ID of the tool, if the trigger knows one. */
	toolId?: number;
	/** The record of that tool, if the service shows it. */
	tool?: IDataObject;
	/** The assistants that may have the tool, whatever their records show. */
	had: number[];
	/** What is known of other tools; undefined where the records of the assistants show all of them. */
	otherTools?: OtherTools;
	/** The list of assistants, as far as it was read. */
	list: RecordList;
	/** Whose tool a record is. */
	getOwner: (tool: IDataObject) => Owner;
	/** What n8n knows of the registration. */
	registered?: RegisteredToken;
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
export function readToolTarget(context: IHookFunctions): ToolTarget {
	const chosen = chosenAssistants(context);
	if (chosen.length === 0) throw new NodeOperationError(context.getNode(), messages.noAssistant);
	const said = readOtherTools(context);
	if (context.getNodeParameter('tool') !== 'existing') return { chosen, said };
	const entered = asText(context.getNodeParameter('toolId', '', { extractValue: true })).trim();
	if (isId(entered)) return { chosen, said, existingToolId: Number(entered) };
	throw new NodeOperationError(context.getNode(), messages.toolNotChosen(entered));
}

/**
 * Reads the same for a trigger that is removed. A field that is wrong was never registered, so the stored
 * assistants are all that count then.
 */
export function readRemovedToolTarget(context: IHookFunctions): ToolTarget {
	try {
		const target = readToolTarget(context);
		// An expression can name another tool by now.
		return storedTool(context) ? { ...target, existingToolId: undefined } : target;
	} catch {
		return { chosen: [] };
	}
}

/** The assistants whose tools the trigger may change. */
export const assistantsToRead = (context: IHookFunctions, { chosen }: ToolTarget): number[] => [
	...new Set([...chosen, ...(storedTool(context)?.assistantIds ?? [])]),
];

const isSamePath = (a: string, b: string): boolean => new URL(a).pathname === new URL(b).pathname;

/** Whether an assistant's record shows a mid call tool. */
const showsTool = (assistant: IDataObject): true | undefined =>
	getTools(assistant).some(({ id }) => Number.isInteger(id)) || undefined;

const showsBuiltIn = ({ tools }: IDataObject): true | undefined =>
	recordsIn(tools).some(isBuiltIn) || undefined;

/**
 * Reads the tools of the account, where no assistant of it shows a mid call tool: then an empty list proves
 * nothing.
 *
 * @returns undefined where the records of the assistants count, and without a list
 */
async function readHiddenTools(
	context: IHookFunctions,
	list: RecordList,
	deadline: Deadline,
): Promise<{ inAccount: IDataObject[] | undefined } | undefined> {
	if (await list.findIn(showsTool)) return undefined;
	const credential = await credentialWithoutItem(context);
	const tools = await readList(context, credential, LIST_PATHS.tools, {}, deadline);
	// Records without built-in tools are those of the contract.
	if (!tools && !(await list.findIn(showsBuiltIn))) return undefined;
	return { inAccount: tools?.map((tool) => toContractRecord(tool, recordShapes.tool)) };
}

/**
 * Reads the assistants, and finds the trigger's tool: the chosen one, else the stored one, else one of
 * the assistants' or the account's tools with this trigger's endpoint and secret.
 *
 * @throws {DescribedError} when the credential is wrong, or the service does not answer or refuses
 */
export async function readToolState(
	context: IHookFunctions,
	target: ToolTarget,
	deadline: Deadline,
): Promise<ToolState> {
	const token = await ownToken(context, getToolPurpose());
	const ids = assistantsToRead(context, target);
	const credential = await credentialWithoutItem(context);
	const baseUrl = checkBaseUrl(credential.baseUrl);
	const { assistants, list } = await findAssistants(context, ids, deadline);
	const hidden = await readHiddenTools(context, list, deadline);

	const stored = storedTool(context);
	const registered = registeredToken(context);
	const ownUrl = webhookUrl(context);
	const tokenOf = (url: URL) =>
		tokenOfUrl(context, asText(credential.apiToken), url, getToolPurpose());
	const getToolOwner = (tool: IDataObject): Owner => {
		const endpoint = asText(tool.endpoint);
		const isStored = tool.id === stored?.toolId;
		const registeredAt = isStored ? (registered?.address ?? ownUrl) : undefined;
		const own = { webhookUrl: ownUrl, tokenHashes: [toHash(token)], registeredAt };
		if (!URL.canParse(endpoint)) return getOwner(undefined, own);
		own.tokenHashes.push(registered?.hash ?? '', toHash(tokenOf(new URL(endpoint))));
		// The stored tool with this endpoint may have an older secret.
		const secret = isStored && isSamePath(endpoint, ownUrl) ? token : getSecret(tool);
		return getOwner(withToken(endpoint, secret), own);
	};
	const shown = hidden?.inAccount ?? [...assistants.values()].flatMap(getTools);
	const isHere = (tool: IDataObject) => getToolOwner(tool).startsWith('ours');
	const isOwn = (tool: IDataObject) => isHere(tool) || getToolOwner(tool) === 'elsewhere';
	const toolId =
		target.existingToolId ?? stored?.toolId ?? (shown.find(isOwn)?.id as number | undefined);
	const isTool = ({ id }: IDataObject) => id === toolId;
	// A test may use a tool of others that no assistant has.
	const isUsed = toolId !== undefined && !isTest(context);
	const tool =
		hidden?.inAccount?.find(isTool) ??
		(isUsed ? await readTool(context, toolId, deadline) : undefined) ??
		shown.find(isTool);

	const told = tool && isOwn(tool) ? (assistantsOf(tool.endpoint) ?? []) : [];
	const had = [...new Set([...told, ...(stored?.assistantIds ?? [])])];
	const isOfThisN8n = (other: IDataObject): boolean => {
		const endpoint = asText(other.endpoint);
		if (!URL.canParse(endpoint)) return false;
		const url = new URL(endpoint);
		// The service can mask the secret (public-service: tool-headers-form; S9, S12b).
		if (url.origin === new URL(ownUrl).origin && assistantsOf(endpoint)) return true;
		return isSameToken(getSecret(other), tokenOf(url));
	};
	const otherTools = hidden && {
		said: target.said?.filter((id) => id !== toolId),
		inAccount: hidden.inAccount?.filter((each) => !isTool(each) && !isHere(each)),
		isOfThisN8n,
	};
	return {
		...target,
		assistants: new Map([...assistants, ...(await findInList(list, had))]),
		...{ toolId, tool, had, otherTools, list },
		...{ getOwner: getToolOwner, registered, token, baseUrl },
	};
}

/**
 * Looks for the tool among all assistants when the service shows it in no other way. A stored tool that belongs
 * to somebody else by now is forgotten: the trigger then creates another one.
 *
 * @throws {DescribedError} when the service does not answer or refuses
 */
export async function withUnseenTool(state: ToolState): Promise<ToolState> {
	const { toolId, existingToolId, getOwner: getToolOwner, list } = state;
	if (toolId === undefined) return state;
	const inAssistant = (assistant: IDataObject) =>
		getTools(assistant).find(({ id }) => id === toolId);
	const tool = state.tool ?? (await list.findIn(inAssistant));
	const isLost = tool !== undefined && getToolOwner(tool) === 'foreign';
	if (isLost && existingToolId === undefined) {
		return { ...state, toolId: undefined, tool: undefined };
	}
	return { ...state, tool };
}
