import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistant } from '../shared/assistants/find';
import type { Deadline } from '../shared/client/deadline';
import { isId } from '../shared/client/ids';
import { isOn, toBoolean } from '../shared/fields/booleans';
import { getOwner, type Owner } from '../shared/webhook/ownership';
import { hashStoredToken, registeredToken } from '../shared/webhook/registeredToken';
import { toHash } from '../shared/webhook/token';
import { isTest, ownToken, webhookUrl, type Purpose } from '../shared/webhook/triggerContext';
import { events, getPurpose, type CallEvent, type Registration, type Settings } from './events';
import { readReplaced, type Replaced } from './replaced';
import * as messages from './messages';

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
	replaced: Replaced;
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
	const purpose = getPurpose(context);
	const [eventName, entered] = purpose;
	if (!isId(entered)) {
		throw new NodeOperationError(context.getNode(), messages.assistantNotChosen(entered));
	}
	const event: CallEvent = events[eventName];
	return { purpose, event, assistantId: Number(entered), ...readOptions(context, event) };
}

/** The hash of the token that was registered for this purpose; empty when there is none. */
function storedHash(context: IHookFunctions, purpose: Purpose): string {
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
	const assistant = await findAssistant(context, assistantId, deadline);
	const registration = event.read(assistant ?? {});
	const tokenHashes = [toHash(token), storedHash(context, purpose)];
	const owner = getOwner(registration.url, { webhookUrl: webhookUrl(context), tokenHashes });
	const replaced = await readReplaced(context, purpose);
	const otherSettings = Object.fromEntries(
		Object.entries(settings)
			.filter(([name, wanted]) => assistant?.[name] === !wanted)
			.map(([name, wanted]) => [name, !wanted]),
	);
	return { ...target, assistant, registration, owner, replaced, otherSettings, token };
}
