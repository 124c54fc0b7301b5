import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { isStarting } from '../shared/activation/isStarting';
import { checkedBaseUrl } from '../shared/client/baseUrl';
import type { Deadline } from '../shared/client/deadline';
import { ServiceError } from '../shared/client/errors';
import { toNodeError } from '../shared/client/nodeError';
import { serviceRequest, type ServiceRequest } from '../shared/client/request';
import { againIfUnknown } from '../shared/webhook/againIfUnknown';
import { assistantKey } from '../shared/webhook/assistantKey';
import { publishDeadline, unpublishDeadline } from '../shared/webhook/hookDeadlines';
import { webhookUrl } from '../shared/webhook/identity';
import { inTurn } from '../shared/webhook/inTurn';
import { whyUnreachable } from '../shared/webhook/reachability';
import { removeToken, storeToken } from '../shared/webhook/registeredToken';
import { isSameToken, tokenOf, withToken } from '../shared/webhook/token';
import { credentialWithoutItem } from '../shared/client/credentialWithoutItem';
import { followsUnavailable, notingUnavailable } from '../shared/webhook/unavailable';
import { warnLeftBehind } from '../shared/webhook/warnLeftBehind';
import { fieldProblem } from './checkFields';
import { removeFormer, storeFormer, type Former } from './former';
import * as messages from './messages';
import { purposeOf } from './purpose';
import { isTest, readState, readTarget, storedHash, type State } from './readState';

/** Sends a request of a hook. */
const send = async (context: IHookFunctions, request: ServiceRequest, deadline: Deadline) =>
	await serviceRequest.call(context, { ...request, deadline });

const messageValues = (context: IHookFunctions, state: State) => ({
	...state,
	webhookUrl: webhookUrl(context),
});

/** The message when the trigger must not be registered, or undefined. */
function refusalMessage(context: IHookFunctions, state: State): string | undefined {
	const { assistantId, assistant, registration, owner } = state;
	if (!assistant) return messages.assistantNotFound(assistantId);
	const values = messageValues(context, state);
	if (owner === 'foreign') {
		if (isTest(context)) return messages.urlTakenInTest(values);
		return state.replacesExisting ? undefined : messages.urlTaken(values);
	}
	// In production, `ours-in-other-mode` is a test URL that was left behind. It may be replaced.
	const isLive = isTest(context) && owner === 'ours-in-other-mode' && registration.isActive;
	return isLive ? messages.listeningRefused(values) : undefined;
}

/** Whether the assistant has everything that publishing sets. */
const isComplete = ({ owner, registration, otherSettings }: State) =>
	owner === 'ours' && registration.isActive && Object.keys(otherSettings).length === 0;

/**
 * What must be put back when the trigger is unregistered. While the assistant has our own webhook, what
 * was found at its first registration still counts.
 */
function formerToStore({ owner, registration, otherSettings, former }: State): Former {
	if (owner === 'foreign') return { registration, settings: otherSettings };
	if (owner === 'none') return { settings: otherSettings };
	return { ...former, settings: { ...otherSettings, ...former.settings } };
}

/**
 * Tells whether the trigger is registered in this mode, with the present token, and active, and whether
 * the assistant has the settings that the user wants.
 *
 * @throws {NodeOperationError} when the service does not answer or refuses
 */
export async function isRegistered(this: IHookFunctions): Promise<boolean> {
	try {
		const target = readTarget(this);
		const deadline = publishDeadline();
		const read = async () => await readState(this, target, deadline);
		const state = await notingUnavailable(this, read);
		const { purpose, registration, token } = state;
		const isCurrent = isComplete(state) && isSameToken(tokenOf(registration.url), token);
		if (isCurrent) storeToken(this, token, purpose);
		return isCurrent;
	} catch (error) {
		const isDown = error instanceof ServiceError && isStarting(this);
		if (!isDown || storedHash(this, purposeOf(this)) === '')
			throw toNodeError(this.getNode(), error);
		this.logger.warn('The registration could not be checked. The trigger counts as registered.');
		return true;
	}
}

/**
 * Registers the trigger's webhook at the assistant, unless that would disconnect somebody else. A
 * refusal changes nothing at the service, because n8n 2.41 tries five times. The assistant is read again
 * after the write, because another n8n can register at the same moment.
 *
 * @throws {NodeOperationError} when the trigger must not be registered, the service refuses, or the
 * assistant does not have the URL afterwards
 */
export async function register(this: IHookFunctions): Promise<boolean> {
	try {
		const { baseUrl } = await credentialWithoutItem(this);
		const unreachable = whyUnreachable(checkedBaseUrl(baseUrl), webhookUrl(this));
		if (unreachable) throw new NodeOperationError(this.getNode(), unreachable);

		const target = readTarget(this);
		const problem = fieldProblem(this, target.event);
		if (problem) throw new NodeOperationError(this.getNode(), problem);

		const deadline = publishDeadline();
		return await inTurn([assistantKey(baseUrl, target.assistantId)], deadline, async () => {
			const read = async () => await readState(this, target, deadline);
			const state = await notingUnavailable(this, read);
			const refusal = refusalMessage(this, state);
			if (refusal) throw new NodeOperationError(this.getNode(), refusal);

			const { purpose, event, assistantId, token, settings } = state;
			// This comes before the write, because its response can be lost.
			await storeFormer(this, purpose, formerToStore(state));
			const url = withToken(webhookUrl(this), token);
			const request = event.register(assistantId, { url, isActive: true }, settings);
			await notingUnavailable(this, async () => await send(this, request, deadline));
			storeToken(this, token, purpose);
			if (state.owner === 'foreign')
				this.logger.info(messages.replaced(messageValues(this, state)));

			const after = await read();
			if (after.owner === 'ours' && after.registration.isActive) return true;
			throw new NodeOperationError(
				this.getNode(),
				messages.notRegistered(messageValues(this, after)),
			);
		});
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

/** Removes the trigger's registration, and puts back what it had changed. */
async function restore(context: IHookFunctions, state: State, deadline: Deadline): Promise<void> {
	const { event, assistantId } = state;
	const { registration, unreadable, settings } = state.former;
	const request = registration
		? event.register(assistantId, registration, settings)
		: event.unregister(assistantId, settings);
	await send(context, request, deadline);
	if (unreadable) context.logger.warn(messages.notPutBack(state));
}

/**
 * Removes the registration if it is still this trigger's own in this mode, and puts back what it had
 * changed. It reads first, because n8n also calls this after a failed registration, when the webhook may be
 * somebody else's. It reads again when a response was lost, and then repeats the write if the registration
 * is still there.
 *
 * @returns false when the service did not answer or refused, see {@link warnLeftBehind}
 */
export async function unregister(this: IHookFunctions): Promise<boolean> {
	if (followsUnavailable(this)) return false;
	let assistant = 'its assistant';
	try {
		const target = readTarget(this);
		assistant = `the assistant ${target.assistantId}`;
		const { baseUrl } = await credentialWithoutItem(this);
		const deadline = unpublishDeadline();
		return await inTurn([assistantKey(baseUrl, target.assistantId)], deadline, async () => {
			await againIfUnknown(async () => {
				const state = await readState(this, target, deadline);
				if (state.owner === 'ours') await restore(this, state, deadline);
			});
			removeToken(this);
			removeFormer(this, target.purpose);
			return true;
		});
	} catch (error) {
		warnLeftBehind(this, `registered at ${assistant}`, error);
		return false;
	}
}
