import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistant } from '../shared/assistants/find';
import { checkedBaseUrl } from '../shared/client/baseUrl';
import { isId } from '../shared/client/ids';
import { asText } from '../shared/client/json';
import { DescribedError, ServiceError } from '../shared/client/errors';
import { CREDENTIAL } from '../shared/client/credential';
import { serviceRequest } from '../shared/client/request';
import { events, type Registration, type TriggerOn } from './events';
import { ownerOf, type Owner } from './ownership';
import { whyUnreachable } from './reachability';
import * as refusals from './refusals';
import { forgetToken, keepToken, ownToken, registeredToken, webhookUrl } from './self';
import { isSameToken, withToken } from './token';

/** What a hook knows before it decides. */
interface Situation {
	assistantId: number;
	/** Undefined when the account has no such assistant. */
	assistant?: IDataObject;
	registration: Registration;
	owner: Owner;
	/** The token to register with. */
	token: string;
}

const eventOf = (context: IHookFunctions) =>
	events[context.getNodeParameter('triggerOn') as TriggerOn];

function chosenAssistant(context: IHookFunctions): number {
	const entered = context.getNodeParameter('assistantId', '', { extractValue: true });
	if (isId(entered)) return Number(entered);
	throw new NodeOperationError(context.getNode(), refusals.noAssistant(asText(entered)));
}

async function look(context: IHookFunctions): Promise<Situation> {
	const assistantId = chosenAssistant(context);
	const token = await ownToken(context);
	const assistant = await findAssistant.call(context, assistantId);
	const registration = eventOf(context).read(assistant ?? {});
	const self = { url: webhookUrl(context), tokens: [token, registeredToken(context)] };
	return { assistantId, assistant, registration, owner: ownerOf(registration, self), token };
}

/** Why nothing may be registered, in words; undefined when it may. */
function refusal(
	context: IHookFunctions,
	{ assistantId, assistant, registration, owner }: Situation,
): string | undefined {
	if (!assistant) return refusals.assistantIsGone(assistantId);
	const subject = { assistant, event: eventOf(context), webhookUrl: webhookUrl(context) };
	const isTest = context.getMode() === 'manual';
	if (owner === 'foreign') {
		return isTest
			? refusals.isForeignInTest(subject, registration)
			: refusals.isForeign(subject, registration);
	}
	// In production this is a test URL that was left behind, which heals by registering over it.
	const isLive = isTest && owner === 'ours-in-other-mode' && registration.isActive;
	return isLive ? refusals.isLive(subject) : undefined;
}

/** Puts everything into the message: n8n 2.0 and 2.41 each hide a part of other errors. */
function inWords(context: IHookFunctions, error: unknown): NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	if (!(error instanceof DescribedError))
		return new NodeOperationError(context.getNode(), error as Error);
	// With this word in it, n8n 2.0 does not repeat the activation for hours.
	const prefix =
		error instanceof ServiceError && error.httpCode === '401' ? 'Authorization failed: ' : '';
	return new NodeOperationError(context.getNode(), prefix + error.text);
}

/** At its start n8n 2.0 asks again for every published workflow, whether the service is up or not. */
const isStarting = (context: IHookFunctions) =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/**
 * Tells whether the trigger is registered as it should be: in this mode, with the present token, and
 * active.
 *
 * @throws {NodeOperationError} in words, when the service cannot be asked
 */
export async function isRegistered(this: IHookFunctions): Promise<boolean> {
	const situation = await look(this).catch((error: unknown) => {
		const isAskedInVain = error instanceof ServiceError && isStarting(this);
		if (isAskedInVain && registeredToken(this) !== '') return undefined;
		throw inWords(this, error);
	});
	if (!situation) {
		this.logger.warn('The service could not be asked; the trigger counts as registered as before');
		return true;
	}
	const { owner, registration, token } = situation;
	const given = owner === 'ours' ? (new URL(registration.url).searchParams.get('token') ?? '') : '';
	const isInOrder = registration.isActive && isSameToken(given, token);
	if (isInOrder) keepToken(this, token);
	return isInOrder;
}

/**
 * Registers the trigger's webhook at the assistant, unless that would cut somebody off. A refusal
 * changes nothing, because n8n 2.41 tries five times.
 *
 * @throws {NodeOperationError} in words: who is registered, and what to do
 */
export async function register(this: IHookFunctions): Promise<boolean> {
	try {
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const unreachable = whyUnreachable(checkedBaseUrl(baseUrl), webhookUrl(this));
		if (unreachable) throw new NodeOperationError(this.getNode(), unreachable);

		const situation = await look(this);
		const refused = refusal(this, situation);
		if (refused) throw new NodeOperationError(this.getNode(), refused);

		const { assistantId, token } = situation;
		const url = withToken(webhookUrl(this), token);
		await serviceRequest.call(this, eventOf(this).register(assistantId, url));
		keepToken(this, token);
		return true;
	} catch (error) {
		throw inWords(this, error);
	}
}

/**
 * Takes the registration back if it is still this trigger's own in this mode. n8n calls this after a
 * failed registration too, so it reads first and never touches what is somebody else's.
 *
 * @returns false when the service could not be asked; n8n would leave the other nodes of the workflow
 * registered if this threw (n8n 2.0)
 */
export async function unregister(this: IHookFunctions): Promise<boolean> {
	try {
		const { assistantId, owner } = await look(this);
		if (owner === 'ours') {
			await serviceRequest.call(this, eventOf(this).unregister(assistantId));
		}
		forgetToken(this);
		return true;
	} catch (error) {
		this.logger.warn(
			`The webhook could not be taken off the assistant: ${inWords(this, error).message}`,
		);
		return false;
	}
}
