import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistant } from '../shared/assistants/find';
import { checkedBaseUrl } from '../shared/client/baseUrl';
import { isId } from '../shared/client/ids';
import { ServiceError } from '../shared/client/errors';
import { CREDENTIAL } from '../shared/client/credential';
import { toNodeError } from '../shared/client/nodeError';
import { serviceRequest } from '../shared/client/request';
import { ownToken, webhookUrl, type Purpose } from '../shared/webhook/identity';
import { inTurn } from '../shared/webhook/inTurn';
import { ownerOf, type Owner } from '../shared/webhook/ownership';
import { whyUnreachable } from '../shared/webhook/reachability';
import { registeredToken, removeToken, storeToken } from '../shared/webhook/registeredToken';
import { isSameToken, tokenOf, withToken } from '../shared/webhook/token';
import { events, type CallEvent, type Registration } from './events';
import * as messages from './messages';
import { purposeOf } from './purpose';

/** What a hook reads before it decides. */
interface State {
	purpose: Purpose;
	event: CallEvent;
	assistantId: number;
	/** Undefined when the assistant does not exist in the account. */
	assistant?: IDataObject;
	registration: Registration;
	owner: Owner;
	/** The token for a new registration. */
	token: string;
}

async function readState(context: IHookFunctions): Promise<State> {
	const purpose = purposeOf(context);
	const [eventName, entered] = purpose;
	if (!isId(entered)) {
		throw new NodeOperationError(context.getNode(), messages.assistantNotChosen(entered));
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

/** The registrations of the same assistant change one after the other. */
async function assistantKey(context: IHookFunctions): Promise<string> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL);
	const [, assistant] = purposeOf(context);
	return `${checkedBaseUrl(baseUrl)} ${assistant}`;
}

/** The token that was registered for this purpose; empty when there is none. */
function storedToken(context: IHookFunctions, purpose: Purpose): string {
	const registered = registeredToken(context);
	return registered?.isFor(purpose) ? registered.token : '';
}

/** The message when the trigger must not be registered, or undefined. */
function refusalMessage(
	context: IHookFunctions,
	{ event, assistantId, assistant, registration, owner }: State,
): string | undefined {
	if (!assistant) return messages.assistantNotFound(assistantId);
	const values = { assistant, event, webhookUrl: webhookUrl(context) };
	const isTest = context.getMode() === 'manual';
	if (owner === 'foreign') {
		return isTest
			? messages.urlTakenInTest(values, registration)
			: messages.urlTaken(values, registration);
	}
	// In production, `ours-in-other-mode` is a test URL that was left behind. It may be replaced.
	const isLive = isTest && owner === 'ours-in-other-mode' && registration.isActive;
	return isLive ? messages.listeningRefused(values) : undefined;
}

/** When n8n 2.0 starts, it checks every published workflow again, even if the service is down. */
const isStarting = (context: IHookFunctions) =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/**
 * Tells whether the trigger is registered in this mode, with the present token, and active.
 *
 * @throws {NodeOperationError} when the service does not answer or refuses
 */
export async function isRegistered(this: IHookFunctions): Promise<boolean> {
	try {
		const { purpose, owner, registration, token } = await readState(this);
		const isCurrent = owner === 'ours' && isSameToken(tokenOf(registration.url), token);
		if (isCurrent && registration.isActive) storeToken(this, token, purpose);
		return isCurrent && registration.isActive;
	} catch (error) {
		const isDown = error instanceof ServiceError && isStarting(this);
		if (!isDown || storedToken(this, purposeOf(this)) === '')
			throw toNodeError(this.getNode(), error);
		this.logger.warn('The registration could not be checked. The trigger counts as registered.');
		return true;
	}
}

/**
 * Registers the trigger's webhook at the assistant, unless that would disconnect somebody else. A
 * refusal changes nothing at the service, because n8n 2.41 tries five times.
 *
 * @throws {NodeOperationError} when the trigger must not be registered, or the service refuses
 */
export async function register(this: IHookFunctions): Promise<boolean> {
	try {
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const unreachable = whyUnreachable(checkedBaseUrl(baseUrl), webhookUrl(this));
		if (unreachable) throw new NodeOperationError(this.getNode(), unreachable);

		return await inTurn(await assistantKey(this), async () => {
			const state = await readState(this);
			const refusal = refusalMessage(this, state);
			if (refusal) throw new NodeOperationError(this.getNode(), refusal);

			const { purpose, event, assistantId, token } = state;
			const url = withToken(webhookUrl(this), token);
			await serviceRequest.call(this, event.register(assistantId, url));
			storeToken(this, token, purpose);
			return true;
		});
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

/**
 * Removes the registration if it is still this trigger's own in this mode. It reads first, because n8n
 * also calls this after a failed registration, when the webhook may be somebody else's.
 *
 * @returns false when the service did not answer or refused. If this threw, n8n 2.0 would leave the
 * other triggers of the workflow registered
 */
export async function unregister(this: IHookFunctions): Promise<boolean> {
	try {
		return await inTurn(await assistantKey(this), async () => {
			const { event, assistantId, owner } = await readState(this);
			if (owner === 'ours') await serviceRequest.call(this, event.unregister(assistantId));
			removeToken(this);
			return true;
		});
	} catch (error) {
		this.logger.warn(
			`The webhook could not be removed from the assistant: ${toNodeError(this.getNode(), error).message}`,
		);
		return false;
	}
}
