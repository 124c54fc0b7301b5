import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { isStarting } from '../shared/activation/isStarting';
import { checkedBaseUrl } from '../shared/client/baseUrl';
import type { Deadline } from '../shared/client/deadline';
import { ServiceError } from '../shared/client/errors';
import { toNodeError } from '../shared/client/nodeError';
import { TOKEN_HEADER } from '../shared/midCallTools/secret';
import { againIfUnknown } from '../shared/webhook/againIfUnknown';
import { assistantKey } from '../shared/webhook/assistantKey';
import { publishDeadline, unpublishDeadline } from '../shared/webhook/hookDeadlines';
import { webhookUrl } from '../shared/webhook/identity';
import { inTurn } from '../shared/webhook/inTurn';
import { whyUnreachable } from '../shared/webhook/reachability';
import { registeredToken, removeToken, storeToken } from '../shared/webhook/registeredToken';
import { credentialWithoutItem } from '../shared/client/credentialWithoutItem';
import { followsUnavailable, notingUnavailable } from '../shared/webhook/unavailable';
import { warnLeftBehind } from '../shared/webhook/warnLeftBehind';
import { attachmentsFor, toolIdsOf, toolsOf } from './attachment';
import { readDefinition, type ToolDefinition } from './definition';
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
import { refusalMessage } from './refusal';
import { attach, createTool, detach, updateTool } from './registerTool';
import { registrationDeadlines, type RegistrationDeadlines } from './registrationDeadlines';
import { storedTool, storeTool } from './storedTool';

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
	deadlines: RegistrationDeadlines,
): Promise<number> {
	const isUpdated =
		toolId !== undefined && (await updateTool(context, toolId, body, deadlines.usual));
	if (!isUpdated && existingToolId !== undefined) {
		throw new NodeOperationError(context.getNode(), messages.toolNotFound(existingToolId));
	}
	const id = isUpdated ? toolId : await createTool(context, body, deadlines.creation);
	const before = storedTool(context)?.assistantIds ?? [];
	storeTool(context, { toolId: id, assistantIds: [...new Set([...before, ...chosen])] });
	return id;
}

/** Runs a change after all other changes of the same assistants. */
async function inTurnOfAssistants<Result>(
	context: IHookFunctions,
	target: Target,
	deadline: Deadline,
	change: () => Promise<Result>,
): Promise<Result> {
	const { baseUrl } = await credentialWithoutItem(context);
	const keys = assistantsToRead(context, target).map((id) => assistantKey(baseUrl, id));
	return await inTurn(keys, deadline, change);
}

/**
 * Tells whether the tool is registered in this mode as the node describes it, and attached to exactly
 * the chosen assistants.
 *
 * @throws {NodeOperationError} when a field is wrong, or the service does not answer or refuses
 */
export async function isRegistered(this: IHookFunctions): Promise<boolean> {
	try {
		const [target, definition] = [readTarget(this), readDefinition(this)];
		const deadline = publishDeadline();
		const read = async () => await readState(this, target, deadline);
		const state = await notingUnavailable(this, read);
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
		if (isCurrent) storeToken(this, token, purposeOf());
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
		const { baseUrl } = await credentialWithoutItem(this);
		const unreachable = whyUnreachable(checkedBaseUrl(baseUrl), webhookUrl(this));
		if (unreachable) throw new NodeOperationError(this.getNode(), unreachable);

		const [target, definition] = [readTarget(this), readDefinition(this)];
		const deadlines = registrationDeadlines();
		const { usual: deadline } = deadlines;
		return await inTurnOfAssistants(this, target, deadline, async () => {
			const read = async () => await readState(this, target, deadline);
			const state = await notingUnavailable(
				this,
				async () => await withUnseenTool(this, await read(), deadline),
			);
			const refusal = refusalMessage(this, state, definition);
			if (refusal) throw new NodeOperationError(this.getNode(), refusal);

			const { chosen, assistants, token, ownerOf } = state;
			const isOwn = (tool: IDataObject) => ownerOf(tool).startsWith('ours');
			const body = toolBody(this, definition, token);
			const save = async () => await saveTool(this, state, body, deadlines);
			const toolId = await notingUnavailable(this, save);
			storeToken(this, token, purposeOf());
			await attach(this, toolId, attachmentsFor(assistants, toolId, chosen, isOwn), deadline);

			const after = await read();
			const lost = chosen.find((id) => {
				const assistant = after.assistants.get(id);
				return !assistant || !toolIdsOf(assistant)?.includes(toolId);
			});
			if (lost !== undefined)
				throw new NodeOperationError(this.getNode(), messages.changedMeanwhile(toolId, lost));
			storeTool(this, { toolId, assistantIds: chosen });
			return true;
		});
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

/** Takes the tool from the assistants, and gives it its production endpoint again after a test. */
async function removeTool(
	context: IHookFunctions,
	target: Target,
	deadline: Deadline,
): Promise<void> {
	const { assistants, ownerOf } = await readState(context, target, deadline);
	const unreadable = [...assistants.values()].find((assistant) => !toolIdsOf(assistant));
	if (unreadable) {
		throw new NodeOperationError(context.getNode(), messages.toolsUnreadable(unreadable));
	}
	const isOwn = (tool: IDataObject) => ownerOf(tool) === 'ours';
	const own = [...assistants.values()].flatMap(toolsOf).find(isOwn);
	await detach(context, attachmentsFor(assistants, undefined, [], isOwn), deadline);
	const endpoint = productionUrl(webhookUrl(context));
	if (own && endpoint) await updateTool(context, own.id as number, { endpoint }, deadline);
}

/**
 * Takes the tool from the assistants, if it is still this trigger's own in this mode. The tool stays in
 * the account, because the service cannot delete tools. n8n also calls this after a failed registration.
 * It reads again when a response was lost.
 *
 * @returns false when the service did not answer or refused, see {@link warnLeftBehind}
 */
export async function unregister(this: IHookFunctions): Promise<boolean> {
	if (followsUnavailable(this)) return false;
	const target = readRemovedTarget(this);
	try {
		const deadline = unpublishDeadline();
		return await inTurnOfAssistants(this, target, deadline, async () => {
			await againIfUnknown(async () => await removeTool(this, target, deadline));
			const stored = storedTool(this);
			if (stored) storeTool(this, { ...stored, assistantIds: [] });
			removeToken(this);
			return true;
		});
	} catch (error) {
		const ids = assistantsToRead(this, target);
		const assistants = `assistant${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
		warnLeftBehind(this, `a tool of the ${assistants}`, error);
		return false;
	}
}
