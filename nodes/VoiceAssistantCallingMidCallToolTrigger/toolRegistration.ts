import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistants } from '../shared/assistants/find';
import type { Deadline } from '../shared/client/deadline';
import { hasUnknownOutcome, type ServiceError } from '../shared/client/errors';
import { TOKEN_HEADER } from '../shared/midCallTools/toolCall';
import { asText } from '../shared/values/json';
import { runCheckExists, runCreate, runDelete } from '../shared/webhook/hooks';
import { ownerElsewhere } from '../shared/webhook/askReceiver';
import { withLeft } from '../shared/webhook/publishError';
import { removeToken, storeToken } from '../shared/webhook/registeredToken';
import { accountKey, webhookUrl } from '../shared/webhook/triggerContext';
import { attachmentsFor, getToolIds } from './attachment';
import { changesOf, readDefinition, type ToolDefinition } from './definition';
import * as messages from './toolMessages';
import { whyUnknown } from './otherTools';
import {
	assistantsToRead,
	getToolPurpose,
	readRemovedToolTarget,
	readToolState,
	readToolTarget,
	withUnseenTool,
	type ToolState,
	type ToolTarget,
} from './readToolState';
import { toolRefusal } from './toolRefusal';
import { attach, attachFailure, createTool, detach, updateTool } from './toolRequests';
import { storedTool, storeTool } from './storedTool';
import { assistantsOf, toolEndpoint } from './toolEndpoint';
import { noteAllTools, ungivenTool } from './ungivenTool';

/** What the service is told about the tool (contract: Mid call tool). */
const toolBody = (
	context: IHookFunctions,
	{ headers, ...definition }: ToolDefinition,
	{ token, chosen }: ToolState,
) => ({
	...definition,
	endpoint: toolEndpoint(webhookUrl(context), chosen),
	headers: [...headers, { name: TOKEN_HEADER, value: token }],
});

/** What was done to the tool. */
interface SavedTool {
	id: number;
	isNew: boolean;
	/** The tool as the service answers it. */
	record: IDataObject;
	/** The error of an update whose response was lost. */
	lost?: ServiceError;
}

/** What a publish does at the assistants, as text. */
const describePublish = ({ chosen, said }: ToolTarget): string => JSON.stringify([chosen, said]);

/** Updates the tool, or creates it when there is none, and remembers its ID. */
async function saveTool(
	context: IHookFunctions,
	{ existingToolId, toolId, tool }: ToolState,
	body: IDataObject,
	deadline: Deadline,
): Promise<SavedTool> {
	let lost: ServiceError | undefined;
	const changes = changesOf(tool, body);
	const isCurrent = tool !== undefined && Object.keys(changes).length === 0;
	const update = async (id: number) =>
		await updateTool(context, id, changes, deadline).catch((error: unknown) => {
			if (!hasUnknownOutcome(error)) throw error;
			lost = error;
			return { id };
		});
	const updated = isCurrent ? tool : toolId === undefined ? undefined : await update(toolId);
	if (!updated && existingToolId !== undefined) {
		throw new NodeOperationError(context.getNode(), messages.toolNotFound(existingToolId));
	}
	const record = updated ?? (await createTool(context, body, deadline));
	const id = Number(record.id);
	storeTool(context, {
		assistantIds: [],
		...storedTool(context),
		toolId: id,
		published: undefined,
	});
	return { id, isNew: !updated, record, lost };
}

/**
 * Takes the change of the tool back where the service answers with another endpoint than was written: its
 * requests would not arrive. A service that answers without the endpoint is believed.
 *
 * @param before the tool as it was, if an assistant shows it. A new tool cannot be taken back
 * @throws {NodeOperationError} when the service keeps another endpoint
 */
async function refuseUnlessKept(
	context: IHookFunctions,
	{ id, record }: SavedTool,
	body: ReturnType<typeof toolBody>,
	before: IDataObject | undefined,
	deadline: Deadline,
): Promise<void> {
	const { endpoint: written } = body;
	if (!Object.hasOwn(record, 'endpoint') || record.endpoint === written) return;
	const names = Object.keys(changesOf(before, body)).filter((name) => before?.[name] !== undefined);
	const former = Object.fromEntries(names.map((name) => [name, before?.[name]]));
	const isTakenBack =
		before !== undefined &&
		(await updateTool(context, id, former, deadline).then(Boolean, () => false));
	const lengths = { written: written.length, shown: asText(record.endpoint).length };
	const message = messages.endpointNotKept(id, lengths, isTakenBack);
	throw new NodeOperationError(context.getNode(), message);
}

/**
 * Tells whether the tool is registered in this mode as the node describes it, and attached to exactly
 * the chosen assistants.
 *
 * @throws {NodeOperationError} when a field is wrong, or the service does not answer or refuses
 */
export const isToolRegistered = async (context: IHookFunctions): Promise<boolean> =>
	await runCheckExists(context, 'tool', getToolPurpose, () => {
		const [target, definition] = [readToolTarget(context), readDefinition(context)];
		const run = async (deadline: Deadline) => {
			const state = await readToolState(context, target, deadline);
			const isCurrent = isAsDescribed(context, target, definition, state);
			if (isCurrent) await storeToken(context, state.token, getToolPurpose());
			return isCurrent;
		};
		return { assistantIds: assistantsToRead(context, target), run };
	});

function isAsDescribed(
	context: IHookFunctions,
	target: ToolTarget,
	definition: ToolDefinition,
	state: ToolState,
): boolean {
	const { assistants, chosen, tool, getOwner, otherTools } = state;
	const isOwn = (each: IDataObject) => getOwner(each) === 'ours';
	if (!tool || !isOwn(tool)) return false;
	const isGiven = (id: number) => assistants.has(id) && !ungivenTool(context, state, id);
	const isAttached = otherTools
		? storedTool(context)?.published === describePublish(target)
		: attachmentsFor(state, tool, isOwn).length === 0;
	const changes = changesOf(tool, toolBody(context, definition, state));
	return chosen.every(isGiven) && isAttached && Object.keys(changes).length === 0;
}

/**
 * Creates or updates the tool and attaches it to the chosen assistants. Everything is read and checked
 * before anything changes, because nothing deletes a tool unasked and n8n 2.41 tries five times.
 *
 * @throws {NodeOperationError} when a field is wrong, the tool must not be registered, or the service
 * refuses. It tells what was done
 */
export const registerTool = async (context: IHookFunctions): Promise<boolean> =>
	await runCreate(context, () => {
		const [target, definition] = [readToolTarget(context), readDefinition(context)];
		return {
			assistantIds: assistantsToRead(context, target),
			run: async (deadline) => await publishTool(context, target, definition, deadline),
		};
	});

/**
 * Asks the address of a tool that was this trigger's whether another n8n has it. If so, the tool is somebody
 * else's: the trigger creates another one, or is refused.
 */
async function withAnswer(
	context: IHookFunctions,
	state: ToolState,
	deadline: Deadline,
): Promise<ToolState> {
	const { tool, getOwner, existingToolId, otherTools } = state;
	if (!tool || getOwner(tool) !== 'elsewhere') return state;
	const url = URL.canParse(asText(tool.endpoint)) ? asText(tool.endpoint) : undefined;
	const address = url ?? state.registered?.address ?? '';
	const owner = await ownerElsewhere(context, address, deadline);
	const decided: ToolState = {
		...state,
		getOwner: (each) => (getOwner(each) === 'elsewhere' ? owner : getOwner(each)),
	};
	if (owner !== 'foreign' || existingToolId !== undefined) return decided;
	const inAccount = otherTools?.inAccount && [...otherTools.inAccount, tool];
	const others = otherTools && { ...otherTools, inAccount };
	return { ...decided, toolId: undefined, tool: undefined, had: [], otherTools: others };
}

async function publishTool(
	context: IHookFunctions,
	target: ToolTarget,
	definition: ToolDefinition,
	deadline: Deadline,
): Promise<void> {
	const read = async () => await readToolState(context, target, deadline);
	const state = await withAnswer(context, await withUnseenTool(await read()), deadline);
	const refusal = toolRefusal(context, state, definition);
	if (refusal) {
		deadline.mayHaveChanged = state.had.length > 0;
		throw new NodeOperationError(context.getNode(), refusal);
	}

	const { chosen, token, getOwner } = state;
	const isOwn = (tool: IDataObject) => getOwner(tool).startsWith('ours');
	const body = toolBody(context, definition, state);
	const saved = await saveTool(context, state, body, deadline);
	await refuseUnlessKept(context, saved, body, state.tool, deadline);
	const { id: toolId } = saved;
	const tool = { ...body, id: toolId };
	await storeToken(context, token, getToolPurpose());
	const namingTool = (error: unknown) => withLeft(error, messages.toolMayBeLeft(toolId, chosen));

	const current = saved.isNew
		? await readWithoutTool(context, state, tool, deadline).catch((error: unknown) => {
				throw namingTool(error);
			})
		: state;
	storeTool(context, { toolId, assistantIds: [...new Set([...current.had, ...chosen])] });
	const attachments = attachmentsFor(current, tool, isOwn);
	const lost = await attach(context, toolId, attachments, deadline);
	if (lost ?? saved.lost) {
		const after = await read().catch((error: unknown) => {
			throw namingTool(lost?.error ?? saved.lost ?? error);
		});
		const hasTool = (id: number) =>
			getToolIds(after.assistants.get(id) ?? {})?.includes(toolId) === true;
		if (lost && !chosen.every(hasTool)) {
			// `delete` takes the tool only from assistants that show it.
			const formerTools = attachments.map((each) => ({ ...each, tools: each.before }));
			await detach(context, formerTools, deadline).catch(() => undefined);
			throw attachFailure(toolId, chosen.filter(hasTool), lost);
		}
		if (saved.lost && Object.keys(changesOf(after.tool, body)).length > 0) {
			throw namingTool(saved.lost);
		}
	}
	storeTool(context, { toolId, assistantIds: chosen, published: describePublish(target) });
}

/**
 * Reads the assistants after the tool was created, and before it is given to them.
 *
 * @throws {NodeOperationError} when one of them shows it already: then the service shows the tools of the
 * account, and a change would give an assistant tools that it did not have
 */
async function readWithoutTool(
	context: IHookFunctions,
	state: ToolState,
	tool: IDataObject,
	deadline: Deadline,
): Promise<ToolState> {
	const { assistants } = await findAssistants(context, [...state.assistants.keys()], deadline);
	const hasTool = (assistant: IDataObject) => getToolIds(assistant)?.includes(Number(tool.id));
	const assistant = [...assistants.values()].find(hasTool);
	if (!assistant) return { ...state, assistants };
	noteAllTools(state);
	storeTool(context, { toolId: Number(tool.id), assistantIds: [], isShownToAll: true });
	throw new NodeOperationError(context.getNode(), messages.showsAllTools(assistant, tool));
}

/** Whether the trigger may have given its tool to an assistant. A publish that was refused gives it to none. */
const mayHaveTool = (context: IHookFunctions, assistantId: number): boolean =>
	storedTool(context)?.assistantIds.includes(assistantId) === true;

/**
 * Takes the tool from the assistants, and says so in its endpoint. After a test it keeps its test URL, until a
 * publish changes it: nobody can say what the production URL is, because an administrator can change n8n's
 * paths.
 *
 * @returns what is left, see {@link runDelete}
 */
async function removeTool(
	context: IHookFunctions,
	target: ToolTarget,
	deadline: Deadline,
): Promise<string | undefined> {
	const state = await readToolState(context, target, deadline);
	const { getOwner, registered, tool } = state;
	const isAt = ({ endpoint }: IDataObject) => registered?.isAt(asText(endpoint)) === true;
	const isOwn = (record: IDataObject) =>
		getOwner(record) === 'ours' || (getOwner(record) === 'ours-in-other-mode' && isAt(record));
	if (tool && getOwner(tool) === 'elsewhere') {
		const isGiven = assistantsOf(tool.endpoint)?.length !== 0;
		return isGiven ? messages.toolLeftElsewhere(tool, webhookUrl(context)) : undefined;
	}
	await detachTool(context, state, isOwn, deadline);
	const stored = storedTool(context);
	const unseen = stored?.assistantIds.filter((id) => !state.assistants.has(id)) ?? [];
	const isSeen = !registered || registered.isOfAccount(await accountKey(context));
	if (unseen.length > 0 || !(isSeen || (tool && isOwn(tool)))) {
		return stored && messages.toolLeftUnseen(stored.toolId, stored.assistantIds);
	}
	if (stored) storeTool(context, { ...stored, assistantIds: [] });
	removeToken(context);
	return undefined;
}

async function detachTool(
	context: IHookFunctions,
	state: ToolState,
	isOwn: (tool: IDataObject) => boolean,
	deadline: Deadline,
): Promise<void> {
	const { otherTools, tool, toolId = 0, had } = state;
	const isOthers = tool ? !isOwn(tool) : otherTools?.inAccount !== undefined;
	if (otherTools && (isOthers || had.length === 0)) return;
	const isGiven = ([id]: [number, IDataObject]) => !ungivenTool(context, state, id);
	const assistants = new Map([...state.assistants].filter(isGiven));
	const unreadable = [...assistants].find(
		([id, assistant]) => !otherTools && !getToolIds(assistant) && mayHaveTool(context, id),
	);
	const why = unreadable
		? messages.toolsUnreadable(unreadable[1])
		: otherTools && whyUnknown(otherTools);
	if (why) throw new NodeOperationError(context.getNode(), why);
	const stored = storedTool(context);
	if (stored) storeTool(context, { ...stored, published: undefined });
	await detach(context, attachmentsFor({ ...state, assistants }, undefined, isOwn), deadline);
	if (!tool || !isOwn(tool) || assistantsOf(tool.endpoint)?.length === 0) return;
	const endpoint = toolEndpoint(webhookUrl(context), []);
	await updateTool(context, toolId, { endpoint }, deadline);
}

/**
 * Takes the tool from the assistants, if it is still this trigger's own in this mode. The tool stays in
 * the account: the next publish uses it again.
 *
 * @returns false when the service did not answer or refused, see {@link runDelete}
 */
export async function unregisterTool(context: IHookFunctions): Promise<boolean> {
	const target = readRemovedToolTarget(context);
	const getAssistantIds = () => assistantsToRead(context, target);
	const run = async (deadline: Deadline) => await removeTool(context, target, deadline);
	const describeLeft = () => {
		const ids = getAssistantIds();
		return `a tool of ${messages.describeAssistants(ids)}`;
	};
	return await runDelete(context, () => ({ assistantIds: getAssistantIds(), run }), describeLeft);
}
