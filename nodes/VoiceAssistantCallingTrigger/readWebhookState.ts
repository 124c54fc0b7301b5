import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { findAssistants } from '../shared/assistants/find';
import type { Deadline } from '../shared/client/deadline';
import { isOn } from '../shared/fields/booleans';
import { isId } from '../shared/values/ids';
import { getOwner, type Owner } from '../shared/webhook/ownership';
import { registeredToken, type RegisteredToken } from '../shared/webhook/registeredToken';
import { toHash } from '../shared/values/hash';
import { getToken, type Purpose } from '../shared/webhook/token';
import {
	accountKey,
	isTest,
	ownToken,
	readBaseUrl,
	webhookOf,
	webhookUrl,
} from '../shared/webhook/triggerContext';
import { events, readPurpose, type CallEvent, type Registration, type Settings } from './events';
import * as messages from './webhookMessages';
import { replacedIn } from './registeredUrl';
import { readReplaced, type ReplacedKey, type Replaced } from './replaced';

/** What the trigger is set up for. */
export interface WebhookTarget {
	purpose: Purpose;
	event: CallEvent;
	assistantId: number;
	/** Whether the webhook of another system is replaced. */
	replacesExisting: boolean;
	/** The assistant's settings that the user wants for this trigger. */
	settings: Settings;
	/** What n8n knew of the registration for another purpose, when it stores the present one. */
	formerly?: RegisteredToken;
}

/** What a hook reads before it decides. */
export interface WebhookState extends WebhookTarget {
	/** Undefined when the assistant does not exist in the account. */
	assistant?: IDataObject;
	registration: Registration;
	owner: Owner;
	/** Whether it was this trigger's at another address, where nobody receives now. */
	isMoved?: boolean;
	/** Whether it leads to a workflow of this n8n that is not published. */
	isUnpublished?: boolean;
	/** What n8n knows of the registration for this purpose. */
	registered: RegisteredToken | undefined;
	/** Whether it was registered at another service: the Base URL was changed since. */
	isOfOtherService: boolean;
	/** Where the replaced webhook is stored. */
	replacedKey: ReplacedKey;
	/** What is put back when the trigger is unregistered. */
	replaced: Replaced;
	/** The assistant's present values of the settings that the user wants otherwise. */
	otherSettings: Settings;
	/** The settings that the user wants, and that the service does not show and never showed before. */
	hiddenSettings: string[];
	/** The token for a new registration. */
	token: string;
}

/** What a choice sets. *As the Assistant Has It* sets nothing. */
const CHOICES = new Map<unknown, boolean>([
	['all', false],
	['onlyCompleted', true],
	['include', true],
	['leaveOut', false],
]);

/**
 * A choice that is empty or wrong changes nothing; {@link fieldProblem} refuses a wrong one. A test changes
 * no setting and replaces no webhook: if n8n was killed while it listens, nobody would put them back.
 */
function readOptions(
	context: IHookFunctions,
	event: CallEvent,
): Pick<WebhookTarget, 'replacesExisting' | 'settings'> {
	if (isTest(context)) return { replacesExisting: false, settings: {} };
	const options = context.getNodeParameter('options') as IDataObject;
	const choices: IDataObject = { ...options, calls: context.getNodeParameter('calls', '') };
	const settings = Object.entries(event.settings).flatMap(([name, setting]) => {
		const wanted = CHOICES.get(choices[name]);
		return wanted === undefined ? [] : [[setting, wanted] as const];
	});
	return {
		replacesExisting: isOn(options.replaceExisting),
		settings: Object.fromEntries(settings),
	};
}

/** What is wrong with the fields that say what the trigger is for: an expression can give any value. */
function purposeProblem([eventName, entered]: ReturnType<typeof readPurpose>): string | undefined {
	if (!Object.hasOwn(events, eventName)) return messages.eventNotChosen;
	return isId(entered) ? undefined : messages.assistantNotChosen(entered);
}

/**
 * Reads the trigger's parameters.
 *
 * @throws {NodeOperationError} when no event or no assistant is chosen
 */
export function readWebhookTarget(context: IHookFunctions): WebhookTarget {
	const purpose = readPurpose(context);
	const problem = purposeProblem(purpose);
	if (problem) throw new NodeOperationError(context.getNode(), problem);
	const [eventName, entered] = purpose;
	const event: CallEvent = events[eventName];
	return { purpose, event, assistantId: Number(entered), ...readOptions(context, event) };
}

/**
 * What the trigger has registered for another assistant or event: an expression has another value now.
 *
 * @param target what its fields say; undefined when they are wrong
 */
export function formerTarget(
	context: IHookFunctions,
	target: WebhookTarget | undefined,
): WebhookTarget | undefined {
	const registered = registeredToken(context);
	if (!registered || (target && registered.isFor(target.purpose))) return undefined;
	const purpose = JSON.parse(registered.purpose) as ReturnType<typeof readPurpose>;
	const [eventName, assistantId] = purpose;
	const event: CallEvent = events[eventName];
	return {
		purpose,
		event,
		assistantId: Number(assistantId),
		replacesExisting: false,
		settings: {},
		formerly: registered,
	};
}

/**
 * Reads what a trigger may have registered that is removed.
 *
 * @throws {NodeOperationError} when no event or no assistant is chosen, and nothing was registered before
 */
export function readRemovedTargets(context: IHookFunctions): WebhookTarget[] {
	const isWrong = purposeProblem(readPurpose(context)) !== undefined;
	const former = isWrong ? formerTarget(context, undefined) : undefined;
	if (former) return [former];
	const target = readWebhookTarget(context);
	return [formerTarget(context, target) ?? [], target].flat();
}

/**
 * Reads the assistant, and finds out whose webhook is registered there.
 *
 * @throws {DescribedError} when the credential is wrong, or the service does not answer or refuses
 */
export async function readWebhookState(
	context: IHookFunctions,
	target: WebhookTarget,
	deadline: Deadline,
): Promise<WebhookState> {
	const { purpose, event, assistantId, settings } = target;
	const token = await ownToken(context, purpose);
	const { assistants, isShown } = await findAssistants(context, [assistantId], deadline);
	const assistant = assistants.get(assistantId);
	const registration = event.read(assistant ?? {}, isShown);
	const stored = target.formerly ?? registeredToken(context);
	const ownUrl = webhookUrl(context, webhookOf(purpose[0]));
	const registered = stored?.isFor(purpose) ? stored : undefined;
	// An assistant of another service can have the same ID.
	const isOfService = registered?.isOfService(await readBaseUrl(context)) ?? true;
	const registeredHere = isOfService ? registered : undefined;
	const { url = '' } = registration;
	const there = URL.canParse(url) ? [await ownToken(context, purpose, new URL(url))] : [];
	const owner = getOwner(registration.url, {
		webhookUrl: ownUrl,
		tokenHashes: [...[token, ...there].map(toHash), registered?.hash ?? ''],
		registeredAt: registeredHere?.address,
	});
	const shown = getToken(url) && toHash(getToken(url));
	const tokenHash = registration.url === undefined ? (registeredHere?.hash ?? '') : shown;
	const replacedKey = { account: await accountKey(context), tokenHash };
	const inUrl = owner === 'foreign' ? undefined : replacedIn(url);
	const replaced = await readReplaced(context, purpose, replacedKey, inUrl);
	const others = Object.entries(settings).filter(([name, wanted]) => assistant?.[name] === !wanted);
	const isShownBefore = (name: string) =>
		typeof assistant?.[name] === 'boolean' || name in replaced.settings;
	return {
		...target,
		assistant,
		registration,
		owner,
		registered,
		isOfOtherService: !isOfService,
		replacedKey,
		replaced,
		otherSettings: Object.fromEntries(others.map(([name, wanted]) => [name, !wanted])),
		hiddenSettings: Object.keys(settings).filter((name) => !isShownBefore(name)),
		token,
	};
}
