import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { checkedBaseUrl } from '../shared/client/baseUrl';
import { CREDENTIAL } from '../shared/client/credential';
import { ServiceError } from '../shared/client/errors';
import { toNodeError } from '../shared/client/nodeError';
import { HOOK_TIME_LIMIT_MS, serviceRequest } from '../shared/client/request';
import { assistantKey } from '../shared/webhook/assistantKey';
import { followsSilence, notingSilence } from '../shared/webhook/silence';
import { webhookUrl } from '../shared/webhook/identity';
import { inTurn } from '../shared/webhook/inTurn';
import { isStarting } from '../shared/webhook/isStarting';
import { whyUnreachable } from '../shared/webhook/reachability';
import { removeToken, storeToken } from '../shared/webhook/registeredToken';
import { isSameToken, tokenOf, withToken } from '../shared/webhook/token';
import * as messages from './messages';
import { purposeOf } from './purpose';
import { readState, readTarget, storedToken, type State } from './readState';

/** The message when the trigger must not be registered, or undefined. */
function refusalMessage(context: IHookFunctions, state: State): string | undefined {
	const { assistantId, assistant, registration, owner } = state;
	if (!assistant) return messages.assistantNotFound(assistantId);
	const values = { ...state, assistant, webhookUrl: webhookUrl(context) };
	const isTest = context.getMode() === 'manual';
	if (owner === 'foreign') {
		return isTest ? messages.urlTakenInTest(values) : messages.urlTaken(values);
	}
	// In production, `ours-in-other-mode` is a test URL that was left behind. It may be replaced.
	const isLive = isTest && owner === 'ours-in-other-mode' && registration.isActive;
	return isLive ? messages.listeningRefused(values) : undefined;
}

/**
 * Tells whether the trigger is registered in this mode, with the present token, and active.
 *
 * @throws {NodeOperationError} when the service does not answer or refuses
 */
export async function isRegistered(this: IHookFunctions): Promise<boolean> {
	try {
		const target = readTarget(this);
		const { purpose, owner, registration, token } = await notingSilence(
			this,
			async () => await readState(this, target),
		);
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
 * refusal changes nothing at the service, because n8n 2.41 tries five times. The assistant is read again
 * after the write, because another n8n can register at the same moment.
 *
 * @throws {NodeOperationError} when the trigger must not be registered, the service refuses, or the
 * assistant does not have the URL afterwards
 */
export async function register(this: IHookFunctions): Promise<boolean> {
	try {
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const unreachable = whyUnreachable(checkedBaseUrl(baseUrl), webhookUrl(this));
		if (unreachable) throw new NodeOperationError(this.getNode(), unreachable);

		const target = readTarget(this);
		return await inTurn([assistantKey(baseUrl, target.assistantId)], async () => {
			const state = await notingSilence(this, async () => await readState(this, target));
			const refusal = refusalMessage(this, state);
			if (refusal) throw new NodeOperationError(this.getNode(), refusal);

			const { purpose, event, assistantId, token } = state;
			const request = event.register(assistantId, withToken(webhookUrl(this), token));
			await serviceRequest.call(this, { ...request, timeLimitMs: HOOK_TIME_LIMIT_MS });
			storeToken(this, token, purpose);

			const { owner, registration } = await readState(this, target);
			if (owner === 'ours' && registration.isActive) return true;
			const values = { ...state, registration, webhookUrl: webhookUrl(this) };
			throw new NodeOperationError(this.getNode(), messages.notRegistered(values));
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
	if (followsSilence(this)) return false;
	try {
		const target = readTarget(this);
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		return await inTurn([assistantKey(baseUrl, target.assistantId)], async () => {
			const { event, assistantId, owner } = await readState(this, target);
			const request = event.unregister(assistantId);
			if (owner === 'ours') {
				await serviceRequest.call(this, { ...request, timeLimitMs: HOOK_TIME_LIMIT_MS });
			}
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
