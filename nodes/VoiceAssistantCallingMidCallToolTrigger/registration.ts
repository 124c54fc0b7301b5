import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { isStarting } from '../shared/activation/isStarting';
import { checkedBaseUrl } from '../shared/client/baseUrl';
import { CREDENTIAL } from '../shared/client/credential';
import { ServiceError } from '../shared/client/errors';
import { toNodeError } from '../shared/client/nodeError';
import { assistantKey } from '../shared/webhook/assistantKey';
import { webhookUrl } from '../shared/webhook/identity';
import { inTurn } from '../shared/webhook/inTurn';
import { whyUnreachable } from '../shared/webhook/reachability';
import { registeredToken, removeToken, storeToken } from '../shared/webhook/registeredToken';
import { isRepeated, noteHook } from '../shared/webhook/repeatedHooks';
import { followsSilence, notingSilence } from '../shared/webhook/silence';
import { attachmentsFor, toolIdsOf, toolsOf } from './attachment';
import { readDefinition, readReplaceTool, TOKEN_HEADER, type ToolDefinition } from './definition';
import { isDefinedAs } from './isDefinedAs';
import * as messages from './messages';
import { productionUrl } from './productionUrl';
import { purposeOf } from './purpose';
import {
	assistantsToRead,
	readRemovedTarget,
	readState,
	readTarget,
	withUnseenTool,
	type State,
	type Target,
} from './readState';
import { attach, createTool, detach, updateTool } from './registerTool';
import { storedTool, storeTool } from './storedTool';

const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';

/** The message when the tool must not be registered, or undefined. Nothing was changed yet. */
function refusalMessage(
	context: IHookFunctions,
	state: State,
	{ name }: ToolDefinition,
): string | undefined {
	const { chosen, assistants, existingToolId, toolId, tool, ownerOf } = state;
	const owner = tool && ownerOf(tool);
	if (tool && isTest(context)) {
		if (owner === 'ours-in-other-mode') return messages.listeningRefused(tool);
		if (owner === 'foreign') return messages.toolTakenInTest(tool);
	}
	if (isTest(context) && existingToolId === undefined) return messages.listeningNeedsTool;

	const lost = chosen.find((id) => !assistants.has(id));
	if (lost !== undefined) return messages.assistantNotFound(lost);
	for (const assistant of assistants.values()) {
		if (!toolIdsOf(assistant)) return messages.toolsUnreadable(assistant);
		const isNamed = (each: IDataObject) => each.name === name && each.id !== toolId;
		const other = toolsOf(assistant).find(isNamed);
		if (other && ownerOf(other) === 'foreign') return messages.nameTaken(assistant, other);
	}

	if (existingToolId === undefined || readReplaceTool(context)) return undefined;
	if (tool) return owner === 'foreign' ? messages.toolTaken(tool) : undefined;
	const isKnown = storedTool(context)?.toolId === existingToolId;
	return isKnown ? undefined : messages.toolNotVisible(existingToolId);
}

/** What the service is told about the tool (contract: Mid call tool). */
const toolBody = (
	context: IHookFunctions,
	{ headers, ...definition }: ToolDefinition,
	token: string,
) => ({
	...definition,
	endpoint: webhookUrl(context),
	headers: [...headers, { name: TOKEN_HEADER, value: token }],
});

/** Updates the tool, or creates it when there is none, and remembers its ID. @returns the ID */
async function saveTool(
	context: IHookFunctions,
	{ chosen, existingToolId, toolId }: State,
	body: IDataObject,
): Promise<number> {
	const isUpdated = toolId !== undefined && (await updateTool(context, toolId, body));
	if (!isUpdated && existingToolId !== undefined) {
		throw new NodeOperationError(context.getNode(), messages.toolNotFound(existingToolId));
	}
	const id = isUpdated ? toolId : await createTool(context, body);
	const before = storedTool(context)?.assistantIds ?? [];
	storeTool(context, { toolId: id, assistantIds: [...new Set([...before, ...chosen])] });
	return id;
}

/** Runs a change after all other changes of the same assistants. */
async function inTurnOfAssistants<Result>(
	context: IHookFunctions,
	target: Target,
	change: () => Promise<Result>,
): Promise<Result> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL);
	const keys = assistantsToRead(context, target).map((id) => assistantKey(baseUrl, id));
	return await inTurn(keys, change);
}

/**
 * Tells whether the tool is registered in this mode as the node describes it, and attached to exactly
 * the chosen assistants.
 *
 * @throws {NodeOperationError} when a field is wrong, or the service does not answer or refuses
 */
export async function isRegistered(this: IHookFunctions): Promise<boolean> {
	if (isRepeated(this, 'register')) return true;
	try {
		const [target, definition] = [readTarget(this), readDefinition(this)];
		const state = await notingSilence(this, async () => await readState(this, target));
		const { assistants, chosen, toolId, tool, ownerOf, token } = state;
		const isOwn = (each: IDataObject) => ownerOf(each) === 'ours';
		const isAttached = chosen.every((id) => assistants.has(id));
		const changes = attachmentsFor(assistants, toolId, chosen, isOwn);
		const isCurrent =
			tool !== undefined &&
			isOwn(tool) &&
			isAttached &&
			changes.length === 0 &&
			isDefinedAs(tool, toolBody(this, definition, token));
		if (isCurrent) {
			storeToken(this, token, purposeOf());
			noteHook(this, 'register');
		}
		return isCurrent;
	} catch (error) {
		const isDown = error instanceof ServiceError && isStarting(this);
		if (!isDown || !registeredToken(this)) throw toNodeError(this.getNode(), error);
		this.logger.warn('The tool could not be checked. The trigger counts as registered.');
		return true;
	}
}

/**
 * Creates or updates the tool and attaches it to the chosen assistants. Everything is read and checked
 * before anything changes, because a tool cannot be deleted and n8n 2.41 tries five times.
 *
 * @throws {NodeOperationError} when a field is wrong, the tool must not be registered, or the service
 * refuses. It tells what was done
 */
export async function register(this: IHookFunctions): Promise<boolean> {
	try {
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const unreachable = whyUnreachable(checkedBaseUrl(baseUrl), webhookUrl(this));
		if (unreachable) throw new NodeOperationError(this.getNode(), unreachable);

		const [target, definition] = [readTarget(this), readDefinition(this)];
		return await inTurnOfAssistants(this, target, async () => {
			const seen = await notingSilence(this, async () => await readState(this, target));
			const state = await withUnseenTool(this, seen);
			const refusal = refusalMessage(this, state, definition);
			if (refusal) throw new NodeOperationError(this.getNode(), refusal);

			const { chosen, assistants, token, ownerOf } = state;
			const isOwn = (tool: IDataObject) => ownerOf(tool).startsWith('ours');
			const toolId = await saveTool(this, state, toolBody(this, definition, token));
			storeToken(this, token, purposeOf());
			await attach(this, toolId, attachmentsFor(assistants, toolId, chosen, isOwn));

			const after = await readState(this, target);
			const lost = chosen.find((id) => {
				const assistant = after.assistants.get(id);
				return !assistant || !toolIdsOf(assistant)?.includes(toolId);
			});
			if (lost !== undefined)
				throw new NodeOperationError(this.getNode(), messages.changedMeanwhile(toolId, lost));
			storeTool(this, { toolId, assistantIds: chosen });
			noteHook(this, 'register');
			return true;
		});
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

/**
 * Takes the tool from the assistants, if it is still this trigger's own in this mode. The tool stays in
 * the account, because the service cannot delete tools. n8n also calls this after a failed registration.
 *
 * @returns false when the service did not answer or refused. If this threw, n8n 2.0 would leave the
 * other triggers of the workflow registered
 */
export async function unregister(this: IHookFunctions): Promise<boolean> {
	if (isRepeated(this, 'unregister')) return true;
	if (followsSilence(this)) return false;
	try {
		const target = readRemovedTarget(this);
		return await inTurnOfAssistants(this, target, async () => {
			const { assistants, ownerOf } = await notingSilence(
				this,
				async () => await readState(this, target),
			);
			const unreadable = [...assistants.values()].find((assistant) => !toolIdsOf(assistant));
			if (unreadable) {
				throw new NodeOperationError(this.getNode(), messages.toolsUnreadable(unreadable));
			}
			const isOwn = (tool: IDataObject) => ownerOf(tool) === 'ours';
			const own = [...assistants.values()].flatMap(toolsOf).find(isOwn);
			await detach(this, attachmentsFor(assistants, undefined, [], isOwn));
			const production = productionUrl(webhookUrl(this));
			if (own && production) await updateTool(this, own.id as number, { endpoint: production });
			const stored = storedTool(this);
			if (stored) storeTool(this, { ...stored, assistantIds: [] });
			removeToken(this);
			noteHook(this, 'unregister');
			return true;
		});
	} catch (error) {
		this.logger.warn(
			`The tool could not be taken from the assistants: ${toNodeError(this.getNode(), error).message}`,
		);
		return false;
	}
}
