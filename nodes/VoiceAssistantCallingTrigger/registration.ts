import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import type { Deadline } from '../shared/client/deadline';
import { hasUnknownOutcome } from '../shared/client/errors';
import { serviceRequest, type ServiceRequest } from '../shared/client/request';
import { runCheckExists, runCreate, runDelete } from '../shared/webhook/hooks';
import { isWholeUrl } from '../shared/webhook/ownership';
import { storeToken } from '../shared/webhook/registeredToken';
import { getToken, hasHash, isSameToken, withToken } from '../shared/webhook/token';
import { triggerKey, webhookUrl } from '../shared/webhook/triggerContext';
import { notingFailedRead, notingFailedWrite } from '../shared/webhook/unchanged';
import { fieldProblem } from './checkFields';
import { getPurpose, type KnownRegistration, type Settings } from './events';
import { messageValues, refusalMessage } from './refusal';
import { removeReplaced, storeReplaced, type Replaced } from './replaced';
import * as messages from './messages';
import { readState, readTarget, writtenRegistrations, type State, type Target } from './readState';

/** Whether the assistant has everything that publishing sets. */
const isComplete = ({ owner, registration, otherSettings }: State) =>
	owner === 'ours' && registration.isActive && Object.keys(otherSettings).length === 0;

/**
 * What must be put back when the trigger is unregistered. While the assistant has our own webhook, what
 * was found at its first registration still counts.
 */
function toReplaced({ owner, registration, otherSettings, replaced }: State): Replaced {
	if (owner === 'foreign' || owner === 'unknown') {
		const { url = '', isActive } = registration;
		const isHidden = owner === 'unknown' || !isWholeUrl(url);
		return isHidden
			? { isHidden, settings: otherSettings }
			: { registration: { url, isActive }, settings: otherSettings };
	}
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
		const state = await notingFailedRead(context, read);
		const { purpose, registration, token, registeredHash } = state;
		// The service may not show the token.
		const shown = getToken(registration.url ?? '');
		const hasToken = shown === '' ? hasHash(token, registeredHash) : isSameToken(shown, token);
		const isCurrent = isComplete(state) && hasToken;
		if (isCurrent) storeToken(context, token, purpose);
		return isCurrent;
	});

/**
 * Registers the trigger's webhook at the assistant, unless that would disconnect somebody else. A
 * refusal changes nothing at the service, because n8n 2.41 tries five times. The assistant is read again
 * after the write, because its response can be lost, and another n8n can register at the same moment.
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

/** What a hook writes at the assistant. */
interface Change {
	registration: KnownRegistration;
	settings: Settings;
	request: ServiceRequest;
}

/**
 * Writes a registration, and remembers it for the reads that follow.
 *
 * @throws what the request throws
 */
async function write(
	context: IHookFunctions,
	state: State,
	{ registration, settings, request }: Change,
	deadline: Deadline,
): Promise<void> {
	const written = { ...registration, settings };
	const change = { before: state.registration, state: written, writer: triggerKey(context) };
	await writtenRegistrations.write(
		state.writtenKey,
		change,
		async () => await serviceRequest(context, { ...request, deadline }),
	);
}

async function registerAt(
	context: IHookFunctions,
	target: Target,
	deadline: Deadline,
): Promise<void> {
	const read = async () => await readState(context, target, deadline);
	const state = await notingFailedRead(context, read);
	const refusal = refusalMessage(context, state);
	if (refusal) throw new NodeOperationError(context.getNode(), refusal);

	const { purpose, event, assistantId, token, settings } = state;
	// This comes before the write, because its response can be lost.
	const replaced = toReplaced(state);
	await storeReplaced(context, purpose, replaced);
	const registration = { url: withToken(webhookUrl(context), token), isActive: true };
	const request = event.register(assistantId, registration, settings);
	const lost = await notingFailedWrite(context, async () => {
		await write(context, state, { registration, settings, request }, deadline);
	}).catch((error: unknown) => {
		if (hasUnknownOutcome(error)) return error;
		throw error;
	});
	if (!lost) storeToken(context, token, purpose);

	const after = await read().catch((error: unknown) => {
		throw lost ?? error;
	});
	if (after.owner !== 'ours' || !after.registration.isActive) {
		if (lost) throw lost;
		const describe = after.owner === 'ours' ? messages.notActive : messages.notRegistered;
		const message = describe(messageValues(context, after));
		throw new NodeOperationError(context.getNode(), message);
	}
	storeToken(context, token, purpose);
	for (const warning of warningsAfter(state, after, replaced)) context.logger.warn(warning);
	if (replaced.registration && state.owner === 'foreign') {
		context.logger.info(messages.replaced(messageValues(context, state)));
	}
}

/** What n8n's log says of a registration that the service does not show as it was written. */
function warningsAfter(state: State, after: State, { isHidden }: Replaced): string[] {
	if (isHidden) return [messages.cannotPutBack(state)];
	if (after.isLate) return [messages.notShownYet(state)];
	const showsToken = getToken(after.registration.url ?? '') !== '';
	return state.owner === 'foreign' && !showsToken ? [messages.formerMayBeCut(state)] : [];
}

/** The assistant sends its calls to nobody. */
const NONE: KnownRegistration = { url: '', isActive: false };

/** Removes the trigger's registration, and puts back what it had changed. */
async function restore(context: IHookFunctions, state: State, deadline: Deadline): Promise<void> {
	const { event, assistantId } = state;
	const { registration = NONE, unreadable, isHidden, settings } = state.replaced;
	const request =
		registration === NONE
			? event.unregister(assistantId, settings)
			: event.register(assistantId, registration, settings);
	await write(context, state, { registration, settings, request }, deadline);
	if (unreadable) context.logger.warn(messages.notPutBack(state));
	if (isHidden) context.logger.warn(messages.hiddenNotPutBack(state));
}

/**
 * Removes the registration if it is still this trigger's own in this mode, and puts back what it had
 * changed. It reads first, because n8n also calls this after a failed registration, when the webhook may be
 * somebody else's. A registration whose response was lost may still come to the service, so it is
 * removed too.
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
			const isRegistered = state.owner === 'ours' || state.mayChange;
			if (state.assistant && isRegistered) await restore(context, state, deadline);
			// What was replaced is needed until it was put back.
			if (isRegistered || state.owner === 'none') removeReplaced(context, target.purpose);
		};
		return { assistantIds: [target.assistantId], run };
	};
	return await runDelete(context, prepare, () => `registered at ${assistant}`);
}
