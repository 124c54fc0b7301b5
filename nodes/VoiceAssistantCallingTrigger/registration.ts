import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import type { Deadline } from '../shared/client/deadline';
import { serviceRequest, type ServiceRequest } from '../shared/client/request';
import { runCheckExists, runCreate, runDelete } from '../shared/webhook/hooks';
import { storeToken } from '../shared/webhook/registeredToken';
import { isSameToken, getToken, withToken } from '../shared/webhook/token';
import { isTest, webhookUrl } from '../shared/webhook/triggerContext';
import { notingUnavailable } from '../shared/webhook/unavailable';
import { fieldProblem } from './checkFields';
import { getPurpose } from './events';
import { removeReplaced, storeReplaced, type Replaced } from './replaced';
import * as messages from './messages';
import { readState, readTarget, type State, type Target } from './readState';

/** Sends a request of a hook. */
const send = async (context: IHookFunctions, request: ServiceRequest, deadline: Deadline) =>
	await serviceRequest(context, { ...request, deadline });

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
function toReplaced({ owner, registration, otherSettings, replaced }: State): Replaced {
	if (owner === 'foreign') return { registration, settings: otherSettings };
	if (owner === 'none') return { settings: otherSettings };
	return { ...replaced, settings: { ...otherSettings, ...replaced.settings } };
}

/**
 * Tells whether the trigger is registered in this mode, with the present token, and active, and whether
 * the assistant has the settings that the user wants.
 *
 * @throws {NodeOperationError} when the service does not answer or refuses
 */
export const isRegistered = async (context: IHookFunctions): Promise<boolean> =>
	await runCheckExists(context, 'registration', getPurpose, async (deadline) => {
		const target = readTarget(context);
		const read = async () => await readState(context, target, deadline);
		const state = await notingUnavailable(context, read);
		const { purpose, registration, token } = state;
		const isCurrent = isComplete(state) && isSameToken(getToken(registration.url), token);
		if (isCurrent) storeToken(context, token, purpose);
		return isCurrent;
	});

/**
 * Registers the trigger's webhook at the assistant, unless that would disconnect somebody else. A
 * refusal changes nothing at the service, because n8n 2.41 tries five times. The assistant is read again
 * after the write, because another n8n can register at the same moment.
 *
 * @throws {NodeOperationError} when the trigger must not be registered, the service refuses, or the
 * assistant does not have the URL afterwards
 */
export const register = async (context: IHookFunctions): Promise<boolean> =>
	await runCreate(context, () => {
		const target = readTarget(context);
		const problem = fieldProblem(context, target.event);
		if (problem) throw new NodeOperationError(context.getNode(), problem);
		const run = async (deadline: Deadline) => await registerAt(context, target, deadline);
		return { assistantIds: [target.assistantId], run };
	});

async function registerAt(
	context: IHookFunctions,
	target: Target,
	deadline: Deadline,
): Promise<void> {
	const read = async () => await readState(context, target, deadline);
	const state = await notingUnavailable(context, read);
	const refusal = refusalMessage(context, state);
	if (refusal) throw new NodeOperationError(context.getNode(), refusal);

	const { purpose, event, assistantId, token, settings } = state;
	// This comes before the write, because its response can be lost.
	await storeReplaced(context, purpose, toReplaced(state));
	const url = withToken(webhookUrl(context), token);
	const request = event.register(assistantId, { url, isActive: true }, settings);
	await notingUnavailable(context, async () => await send(context, request, deadline));
	storeToken(context, token, purpose);
	if (state.owner === 'foreign') {
		context.logger.info(messages.replaced(messageValues(context, state)));
	}

	const after = await read();
	if (after.owner === 'ours' && after.registration.isActive) return;
	const message = messages.notRegistered(messageValues(context, after));
	throw new NodeOperationError(context.getNode(), message);
}

/** Removes the trigger's registration, and puts back what it had changed. */
async function restore(context: IHookFunctions, state: State, deadline: Deadline): Promise<void> {
	const { event, assistantId } = state;
	const { registration, unreadable, settings } = state.replaced;
	const request = registration
		? event.register(assistantId, registration, settings)
		: event.unregister(assistantId, settings);
	await send(context, request, deadline);
	if (unreadable) context.logger.warn(messages.notPutBack(state));
}

/**
 * Removes the registration if it is still this trigger's own in this mode, and puts back what it had
 * changed. It reads first, because n8n also calls this after a failed registration, when the webhook may be
 * somebody else's.
 *
 * @returns false when the service did not answer or refused, see {@link runDelete}
 */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	let assistant = 'its assistant';
	const prepare = () => {
		const target = readTarget(context);
		assistant = `the assistant ${target.assistantId}`;
		const run = async (deadline: Deadline) => {
			const state = await readState(context, target, deadline);
			if (state.owner === 'ours') await restore(context, state, deadline);
			removeReplaced(context, target.purpose);
		};
		return { assistantIds: [target.assistantId], run };
	};
	return await runDelete(context, prepare, () => `registered at ${assistant}`);
}
