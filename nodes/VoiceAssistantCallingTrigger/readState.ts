import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistant } from '../shared/assistants/find';
import { isId } from '../shared/client/ids';
import { HOOK_TIME_LIMIT_MS } from '../shared/client/request';
import { ownToken, webhookUrl, type Purpose } from '../shared/webhook/identity';
import { ownerOf, type Owner } from '../shared/webhook/ownership';
import { registeredToken } from '../shared/webhook/registeredToken';
import { events, type CallEvent, type Registration } from './events';
import * as messages from './messages';
import { purposeOf } from './purpose';

/** What the trigger is set up for. */
export interface Target {
	purpose: Purpose;
	event: CallEvent;
	assistantId: number;
}

/** What a hook reads before it decides. */
export interface State extends Target {
	/** Undefined when the assistant does not exist in the account. */
	assistant?: IDataObject;
	registration: Registration;
	owner: Owner;
	/** The token for a new registration. */
	token: string;
}

/**
 * Reads the trigger's parameters.
 *
 * @throws {NodeOperationError} when no assistant is chosen
 */
export function readTarget(context: IHookFunctions): Target {
	const purpose = purposeOf(context);
	const [eventName, entered] = purpose;
	if (!isId(entered)) {
		throw new NodeOperationError(context.getNode(), messages.assistantNotChosen(entered));
	}
	return { purpose, event: events[eventName], assistantId: Number(entered) };
}

/** The token that was registered for this purpose; empty when there is none. */
export function storedToken(context: IHookFunctions, purpose: Purpose): string {
	const registered = registeredToken(context);
	return registered?.isFor(purpose) ? registered.token : '';
}

/**
 * Reads the assistant, and finds out whose webhook is registered there.
 *
 * @throws {DescribedError} when the credential is wrong, or the service does not answer or refuses
 */
export async function readState(context: IHookFunctions, target: Target): Promise<State> {
	const { purpose, event, assistantId } = target;
	const token = await ownToken(context, purpose);
	const assistant = await findAssistant.call(context, assistantId, HOOK_TIME_LIMIT_MS);
	const registration = event.read(assistant ?? {});
	const tokens = [token, storedToken(context, purpose)];
	const owner = ownerOf(registration.url, { webhookUrl: webhookUrl(context), tokens });
	return { ...target, assistant, registration, owner, token };
}
