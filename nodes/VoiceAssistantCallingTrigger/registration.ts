import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistant } from '../shared/assistants/find';
import { checkedBaseUrl } from '../shared/client/baseUrl';
import { isId } from '../shared/client/ids';
import { DescribedError, ServiceError } from '../shared/client/errors';
import { CREDENTIAL } from '../shared/client/credential';
import { serviceRequest } from '../shared/client/request';
import { ownToken, webhookUrl, type Purpose } from '../shared/webhook/identity';
import { ownerOf, type Owner } from '../shared/webhook/ownership';
import { whyUnreachable } from '../shared/webhook/reachability';
import { registeredToken, removeToken, storeToken } from '../shared/webhook/registeredToken';
import { isSameToken, tokenOf, withToken } from '../shared/webhook/token';
import { events, type CallEvent, type Registration } from './events';
import * as messages from './messages';
import { purposeOf } from './purpose';

/** What a hook knows before it decides. */
interface State {
	purpose: Purpose;
	event: CallEvent;
	assistantId: number;
	/** Undefined when the account has no such assistant. */
	assistant?: IDataObject;
	registration: Registration;
	owner: Owner;
	/** The token to register with. */
	token: string;
}

async function readState(context: IHookFunctions): Promise<State> {
	const purpose = purposeOf(context);
	const [eventName, entered] = purpose;
	if (!isId(entered)) {
		throw new NodeOperationError(context.getNode(), messages.noAssistant(entered));
	}
	const event = events[eventName];
	const assistantId = Number(entered);
	const token = await ownToken(context, purpose);
	const assistant = await findAssistant.call(context, assistantId);
	const registration = event.read(assistant ?? {});
	const tokens = [token, storedToken(context, purpose)];
	const owner = ownerOf(registration.url, { webhookUrl: webhookUrl(context), tokens });
	return { purpose, event, assistantId, assistant, registration, owner, token };
}

/** The token that was registered for this purpose. Empty where there is none. */
function storedToken(context: IHookFunctions, purpose: Purpose): string {
	const registered = registeredToken(context);
	return registered?.isFor(purpose) ? registered.token : '';
}

/** The message when nothing may be registered, or undefined when it may. */
function refusalOf(
	context: IHookFunctions,
	{ event, assistantId, assistant, registration, owner }: State,
): string | undefined {
	if (!assistant) return messages.assistantIsGone(assistantId);
	const subject = { assistant, event, webhookUrl: webhookUrl(context) };
	const isTest = context.getMode() === 'manual';
	if (owner === 'foreign') {
		return isTest
			? messages.isForeignInTest(subject, registration)
			: messages.isForeign(subject, registration);
	}
	// In production this is a test URL that was left behind. Registering replaces it.
	const isLive = isTest && owner === 'ours-in-other-mode' && registration.isActive;
	return isLive ? messages.isLive(subject) : undefined;
}

/** Puts everything into the message: n8n 2.0 and 2.41 each hide a part of other errors. */
function toNodeError(context: IHookFunctions, error: unknown): NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	if (!(error instanceof DescribedError))
		return new NodeOperationError(context.getNode(), error as Error);
	const isUnauthorized = error instanceof ServiceError && error.httpCode === '401';
	// With this word in it, n8n 2.0 does not repeat the activation for hours.
	const prefix = isUnauthorized ? 'Authorization failed: ' : '';
	return new NodeOperationError(context.getNode(), prefix + error.text);
}

/** At its start n8n 2.0 asks again for every published workflow, even when the service is down. */
const isStarting = (context: IHookFunctions) =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/**
 * Tells whether the trigger is registered as it should be: in this mode, with the present token, and
 * active.
 *
 * @throws {NodeOperationError} with the whole text in its message when the service cannot be asked
 */
export async function isRegistered(this: IHookFunctions): Promise<boolean> {
	try {
		const { purpose, owner, registration, token } = await readState(this);
		const isCurrent = owner === 'ours' && isSameToken(tokenOf(registration.url), token);
		if (isCurrent && registration.isActive) storeToken(this, token, purpose);
		return isCurrent && registration.isActive;
	} catch (error) {
		const isDown = error instanceof ServiceError && isStarting(this);
		if (!isDown || storedToken(this, purposeOf(this)) === '') throw toNodeError(this, error);
		this.logger.warn('The registration could not be checked. The trigger counts as registered.');
		return true;
	}
}

/**
 * Registers the trigger's webhook at the assistant, unless that would disconnect somebody else. A
 * refusal changes nothing, because n8n 2.41 tries five times.
 *
 * @throws {NodeOperationError} with the whole text in its message: who is registered, and what to do
 */
export async function register(this: IHookFunctions): Promise<boolean> {
	try {
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const unreachable = whyUnreachable(checkedBaseUrl(baseUrl), webhookUrl(this));
		if (unreachable) throw new NodeOperationError(this.getNode(), unreachable);

		const state = await readState(this);
		const refusal = refusalOf(this, state);
		if (refusal) throw new NodeOperationError(this.getNode(), refusal);

		const { purpose, event, assistantId, token } = state;
		const url = withToken(webhookUrl(this), token);
		await serviceRequest.call(this, event.register(assistantId, url));
		storeToken(this, token, purpose);
		return true;
	} catch (error) {
		throw toNodeError(this, error);
	}
}

/**
 * Removes the registration if it is still this trigger's own in this mode. n8n calls this after a
 * failed registration too, so it reads first and never touches somebody else's.
 *
 * @returns false when the service could not be asked. If this threw, n8n 2.0 would leave the other
 * triggers of the workflow registered
 */
export async function unregister(this: IHookFunctions): Promise<boolean> {
	try {
		const { event, assistantId, owner } = await readState(this);
		if (owner === 'ours') await serviceRequest.call(this, event.unregister(assistantId));
		removeToken(this);
		return true;
	} catch (error) {
		this.logger.warn(
			`The webhook could not be removed from the assistant: ${toNodeError(this, error).message}`,
		);
		return false;
	}
}
