import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistant } from '../shared/assistants/find';
import { isId } from '../shared/client/ids';
import type { Deadline } from '../shared/client/deadline';
import { isOn, toBoolean } from '../shared/fields/booleans';
import { ownToken, webhookUrl, type Purpose } from '../shared/webhook/identity';
import { ownerOf, type Owner } from '../shared/webhook/ownership';
import { hashStoredToken, registeredToken } from '../shared/webhook/registeredToken';
import { hashOf } from '../shared/webhook/token';
import { formerOf, type Former } from './former';
import { events, type CallEvent, type Registration, type Settings } from './events';
import * as messages from './messages';
import { purposeOf } from './purpose';

/** What the trigger is set up for. */
export interface Target {
	purpose: Purpose;
	event: CallEvent;
	assistantId: number;
	/** Whether the webhook of another system is replaced. */
	replacesExisting: boolean;
	/** The assistant's settings that the user wants for this trigger. */
	settings: Settings;
}

/** What a hook reads before it decides. */
export interface State extends Target {
	/** Undefined when the assistant does not exist in the account. */
	assistant?: IDataObject;
	registration: Registration;
	owner: Owner;
	/** What is put back when the trigger is unregistered. */
	former: Former;
	/** The assistant's present values of the settings that the user wants otherwise. */
	otherSettings: Settings;
	/** The token for a new registration. */
	token: string;
}

/**
 * An option that is empty or wrong changes nothing; {@link fieldProblem} refuses a wrong one. A test changes
 * no setting and replaces no webhook: if n8n was killed while it listens, nobody would put them back.
 */
function readOptions(
	context: IHookFunctions,
	event: CallEvent,
): Pick<Target, 'replacesExisting' | 'settings'> {
	if (isTest(context)) return { replacesExisting: false, settings: {} };
	const options = context.getNodeParameter('options') as IDataObject;
	const settings = Object.entries(event.settings).flatMap(([name, setting]) => {
		const wanted = toBoolean(options[name]);
		return wanted === undefined ? [] : [[setting, wanted] as const];
	});
	return {
		replacesExisting: isOn(options.replaceExisting),
		settings: Object.fromEntries(settings),
	};
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
	const event: CallEvent = events[eventName];
	return { purpose, event, assistantId: Number(entered), ...readOptions(context, event) };
}

/** Whether the user listens for a test event. n8n calls `delete` with another mode (n8n 2.0, 2.41). */
export const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';

/** The hash of the token that was registered for this purpose; empty when there is none. */
export function storedHash(context: IHookFunctions, purpose: Purpose): string {
	const registered = registeredToken(context);
	return registered?.isFor(purpose) ? registered.hash : '';
}

/**
 * Reads the assistant, and finds out whose webhook is registered there.
 *
 * @throws {DescribedError} when the credential is wrong, or the service does not answer or refuses
 */
export async function readState(
	context: IHookFunctions,
	target: Target,
	deadline: Deadline,
): Promise<State> {
	const { purpose, event, assistantId, settings } = target;
	hashStoredToken(context);
	const token = await ownToken(context, purpose);
	const assistant = await findAssistant.call(context, assistantId, deadline);
	const registration = event.read(assistant ?? {});
	const tokenHashes = [hashOf(token), storedHash(context, purpose)];
	const owner = ownerOf(registration.url, { webhookUrl: webhookUrl(context), tokenHashes });
	const former = await formerOf(context, purpose);
	const otherSettings = Object.fromEntries(
		Object.entries(settings)
			.filter(([name, wanted]) => assistant?.[name] === !wanted)
			.map(([name, wanted]) => [name, !wanted]),
	);
	return { ...target, assistant, registration, owner, former, otherSettings, token };
}
