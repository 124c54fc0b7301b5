import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistant } from '../shared/assistants/find';
import { isId } from '../shared/client/ids';
import { hookDeadline } from '../shared/client/deadline';
import { ownToken, webhookUrl, type Purpose } from '../shared/webhook/identity';
import { ownerOf, type Owner } from '../shared/webhook/ownership';
import { registeredToken } from '../shared/webhook/registeredToken';
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
	/** The assistant's present values of the settings that the user wants otherwise. */
	otherSettings: Settings;
	/** The token for a new registration. */
	token: string;
}

/** Expressions often give texts. */
const isOn = (value: unknown) => value === true || value === 'true';

/**
 * A test changes no setting and replaces no webhook: if n8n was killed while it listens, nobody would put
 * them back.
 */
function readOptions(
	context: IHookFunctions,
	event: CallEvent,
): Pick<Target, 'replacesExisting' | 'settings'> {
	if (isTest(context)) return { replacesExisting: false, settings: {} };
	const options = context.getNodeParameter('options') as IDataObject;
	const chosen = Object.entries(event.settings).filter(([name]) => options[name] !== undefined);
	return {
		replacesExisting: isOn(options.replaceExisting),
		settings: Object.fromEntries(chosen.map(([name, setting]) => [setting, isOn(options[name])])),
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
	const { purpose, event, assistantId, settings } = target;
	const token = await ownToken(context, purpose);
	const assistant = await findAssistant.call(context, assistantId, hookDeadline());
	const registration = event.read(assistant ?? {});
	const tokens = [token, storedToken(context, purpose)];
	const owner = ownerOf(registration.url, { webhookUrl: webhookUrl(context), tokens });
	const otherSettings = Object.fromEntries(
		Object.entries(settings)
			.filter(([name, wanted]) => assistant?.[name] === !wanted)
			.map(([name, wanted]) => [name, !wanted]),
	);
	return { ...target, assistant, registration, owner, otherSettings, token };
}
