import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import type { Deadline } from '../shared/client/deadline';
import { hasUnknownOutcome, isValidationError, type ServiceError } from '../shared/client/errors';
import { serviceRequest } from '../shared/client/request';
import { log } from '../shared/log';
import { asText } from '../shared/values/json';
import { askReceiver, ownerElsewhere } from '../shared/webhook/askReceiver';
import { isTriggerOfThisN8n } from '../shared/webhook/describeReceiver';
import {
	runCheckExists,
	runCreate,
	runDelete,
	warnLeftBehind,
	warnOfLeft,
} from '../shared/webhook/hooks';
import { noteTakenOff, withLeft } from '../shared/webhook/publishError';
import { registeredToken, removeToken, storeToken } from '../shared/webhook/registeredToken';
import { hasHash, withToken } from '../shared/webhook/token';
import { isTest, webhookUrl } from '../shared/webhook/triggerContext';
import { assistantNotFound } from '../shared/webhook/sharedTexts';
import { fieldProblem } from './fieldProblem';
import { readPurpose, type KnownRegistration } from './events';
import { messageValues, webhookRefusal } from './webhookRefusal';
import { withoutReplaced, withReplaced } from './registeredUrl';
import { removeReplaced, storeReplaced, type Replaced } from './replaced';
import * as messages from './webhookMessages';
import { warnOfOtherEvent } from './otherEvent';
import {
	formerTarget,
	readRemovedTargets,
	readWebhookState,
	readWebhookTarget,
	type WebhookState,
	type WebhookTarget,
} from './readWebhookState';

/** The URL that the trigger registers. */
const ownUrl = (context: IHookFunctions, token: string): string =>
	withToken(webhookUrl(context), token);

/** Whether the assistant has everything that publishing sets. */
const isComplete = ({ owner, registration, otherSettings }: WebhookState) =>
	owner === 'ours' && registration.isActive && Object.keys(otherSettings).length === 0;

/**
 * What must be put back when the trigger is unregistered. While the assistant has our own webhook, what
 * was found at its first registration still counts.
 */
function toReplaced(state: WebhookState): Replaced {
	const { owner, registration, otherSettings, replaced, isUnpublished } = state;
	if (owner === 'unknown') return { isHidden: true, settings: otherSettings };
	// An address that answers no calls is not worth putting back.
	if (owner === 'foreign' && isUnpublished) return { settings: otherSettings };
	if (owner === 'foreign') {
		const { url = '', isActive } = registration;
		return { registration: { url, isActive }, settings: otherSettings };
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
export const isWebhookRegistered = async (context: IHookFunctions): Promise<boolean> =>
	await runCheckExists(context, 'registration', readPurpose, () => {
		const target = readWebhookTarget(context);
		const run = async (deadline: Deadline) => {
			const state = await readWebhookState(context, target, deadline);
			const { purpose, registration, token, registered } = state;
			const isOwnUrl =
				registration.url === undefined
					? hasHash(token, registered?.hash ?? '')
					: withoutReplaced(registration.url) === ownUrl(context, token);
			const isCurrent = isComplete(state) && isOwnUrl && !formerTarget(context, target);
			if (isCurrent) await storeToken(context, token, purpose);
			return isCurrent;
		};
		return { assistantIds: [target.assistantId], run };
	});

/**
 * Registers the trigger's webhook at the assistant, unless that would disconnect somebody else. A
 * refusal changes nothing at the service, because n8n 2.41 tries five times. The assistant is read again
 * after the write, because its response can be lost, and a service can keep another URL than it got.
 *
 * @throws {NodeOperationError} when the trigger must not be registered, the service refuses, or the
 * assistant shows another URL afterwards
 */
export const registerWebhook = async (context: IHookFunctions): Promise<boolean> =>
	await runCreate(context, () => {
		const target = readWebhookTarget(context);
		const problem = fieldProblem(context, target.event);
		if (problem) throw new NodeOperationError(context.getNode(), problem);
		const former = formerTarget(context, target);
		const run = async (deadline: Deadline) => {
			// Both inbound events have one URL: what the former one replaced comes back first.
			const isSameUrl =
				former?.assistantId === target.assistantId &&
				former.event.urlField === target.event.urlField;
			const left = former && isSameUrl && (await unregisterAt(context, former, deadline));
			if (left) warnOfLeft(context, left);
			await registerAt(context, target, deadline);
			if (former && !isSameUrl) await unregisterFormer(context, former, deadline);
		};
		return { assistantIds: assistantIdsOf([target, former]), run };
	});

const assistantIdsOf = (targets: Array<WebhookTarget | undefined>): number[] => [
	...new Set(targets.flatMap((each) => each?.assistantId ?? [])),
];

/**
 * Asks the address of a registration whether anybody receives there, if that decides.
 */
async function withAnswer(
	context: IHookFunctions,
	state: WebhookState,
	deadline: Deadline,
): Promise<WebhookState> {
	const { owner, registered, registration } = state;
	const url = registration.url || registered?.address || '';
	if (owner === 'elsewhere') {
		const decided = await ownerElsewhere(context, url, deadline);
		const isMoved = decided !== 'foreign';
		const isHidden = !isMoved && registration.url === undefined;
		return { ...state, owner: isHidden ? 'unknown' : decided, isMoved };
	}
	const isHere = owner === 'foreign' && isTriggerOfThisN8n(url, webhookUrl(context));
	if (!isHere || isTest(context)) return state;
	const isUnpublished = (await askReceiver(context, url, deadline)) === 'unpublished';
	return { ...state, isUnpublished };
}

async function registerAt(
	context: IHookFunctions,
	target: WebhookTarget,
	deadline: Deadline,
): Promise<void> {
	const read = await readWebhookState(context, target, deadline);
	const state = await withAnswer(context, read, deadline);
	const refusal = webhookRefusal(context, state);
	if (refusal) {
		deadline.mayHaveChanged = registeredToken(context) !== undefined;
		throw new NodeOperationError(context.getNode(), refusal);
	}

	// This comes before the write, because its response can be lost.
	const replaced = toReplaced(state);
	const { purpose, replacedKey, token } = state;
	const sealed = await storeReplaced(context, purpose, replacedKey, replaced, token);
	const url = ownUrl(context, token);
	const before = { ...state, replaced };
	const whole = withReplaced(url, sealed);
	const longer = whole === undefined ? undefined : await tryUrl(context, before, whole, deadline);
	const written = longer ?? (await writeUrl(context, before, url, deadline));
	const { after, lost } = written;
	if (lost && shownText(after) !== written.url) {
		const isGone = isOfAnother(written) || (await takeBack(context, before, deadline));
		throw isGone ? lost : withLeft(lost, messages.webhookMayBeLeft(state));
	}
	await refuseUnlessKept(context, written, deadline);
	if (state.isOfOtherService) warnOfLeft(context, messages.webhookLeftUnseen(state));
	await storeToken(context, token, purpose);
	const unset = Object.keys(after.otherSettings);
	if (unset.length > 0) log(context, 'warn', messages.settingsNotKept(after, unset));
	if (state.hiddenSettings.length > 0) log(context, 'warn', messages.settingsHidden(state));
	warnOfOtherEvent(context);
	if (replaced.isHidden) log(context, 'warn', messages.cannotPutBack(state));
	const values = messageValues(context, state);
	if (state.isMoved) log(context, 'info', messages.moved(values));
	if (replaced.registration && state.owner === 'foreign') {
		log(context, 'info', messages.replaced(values));
	}
}

/** Takes off what is registered for the former value of an expression, after the present one was registered. */
async function unregisterFormer(
	context: IHookFunctions,
	former: WebhookTarget,
	deadline: Deadline,
): Promise<void> {
	try {
		const left = await unregisterAt(context, former, deadline);
		if (left) warnOfLeft(context, left);
	} catch (error) {
		warnLeftBehind(context, messages.registeredAt(former), error);
	}
}

/** A URL that the trigger has written. */
interface Written {
	url: string;
	/** What was read before, and what the URL replaces. */
	before: WebhookState;
	/** What was read after it. */
	after: WebhookState;
	/** The error of a write whose response was lost. */
	lost?: ServiceError;
}

/**
 * Writes the URL, and reads the assistant again.
 *
 * @throws {DescribedError} when the service refuses the URL, or does not show the assistant any more
 */
async function writeUrl(
	context: IHookFunctions,
	before: WebhookState,
	url: string,
	deadline: Deadline,
): Promise<Written> {
	const { event, assistantId, settings, token, purpose } = before;
	const request = event.register(assistantId, { url, isActive: true }, settings);
	const lost = await serviceRequest(context, { ...request, deadline }).then(
		() => undefined,
		(error: unknown) => {
			if (hasUnknownOutcome(error)) return error;
			throw error;
		},
	);
	if (!lost) await storeToken(context, token, purpose);
	const after = await readWebhookState(context, before, deadline).catch((error: unknown) => {
		throw withLeft(lost ?? error, messages.webhookMayBeLeft(before));
	});
	return { url, before, after, lost };
}

/**
 * Writes the URL that has what it replaces. A service may keep no URL of this length: it refuses it, fails, or
 * shows another one.
 *
 * @returns undefined where the shorter URL is to be written
 */
async function tryUrl(
	...[context, before, url, deadline]: Parameters<typeof writeUrl>
): Promise<Written | undefined> {
	const written = await writeUrl(context, before, url, deadline).catch((error: unknown) => {
		if (!isValidationError(error)) throw error;
	});
	if (!written) return undefined;
	const { after, lost } = written;
	const isKept = [undefined, url].includes(shownText(after)) || !after.assistant;
	// Without JSON, it is not the service that has answered.
	const isAnswered = lost?.isJson ?? true;
	return isKept || !isAnswered || isOfAnother(written) ? written : undefined;
}

/**
 * Takes the registration back where the service shows another URL than was written: its requests would not
 * have the token. A service that does not show the URL is believed.
 *
 * @throws {NodeOperationError} when the trigger is not registered as it was written
 */
async function refuseUnlessKept(
	context: IHookFunctions,
	written: Written,
	deadline: Deadline,
): Promise<void> {
	const refuse = (message: string): never => {
		throw new NodeOperationError(context.getNode(), message);
	};
	const { url, before, after } = written;
	if (!after.assistant) refuse(assistantNotFound(after.assistantId));
	const shown = shownText(after);
	if (shown !== undefined && shown !== url) {
		const values = messageValues(context, after);
		if (isOfAnother(written)) refuse(messages.changedMeanwhile(values));
		const isTakenBack = await takeBack(context, before, deadline);
		const lengths = { written: url.length, shown: shown.length };
		refuse(messages.notKept(values, lengths, isTakenBack ? before.replaced : undefined));
	}
	if (!after.registration.isActive) refuse(messages.notActive(after));
}

/** The text that the record has as the URL; undefined when it lacks the field. */
const shownText = ({ assistant = {}, event: { urlField } }: WebhookState): string | undefined =>
	Object.hasOwn(assistant, urlField) ? asText(assistant[urlField]) : undefined;

/**
 * Whether a program has registered another URL since the trigger read the assistant. What begins as the written
 * URL, or has its path, is what the service has made of it.
 */
function isOfAnother({ url: written, before, after }: Written): boolean {
	const { url = '' } = after.registration;
	const isForeign = after.owner === 'foreign' || after.owner === 'elsewhere';
	if (!isForeign || url === before.registration.url || written.startsWith(url)) return false;
	const path = new URL(url).pathname.toLowerCase();
	return !path.startsWith(new URL(written).pathname.toLowerCase());
}

/**
 * Takes back what the trigger has just written.
 *
 * @returns whether the service accepted it. n8n calls `delete` next, which tries again if it sees the URL
 */
async function takeBack(
	context: IHookFunctions,
	state: WebhookState,
	deadline: Deadline,
): Promise<boolean> {
	const isTakenBack = await restore(context, state, deadline).then(
		() => true,
		() => false,
	);
	if (isTakenBack) {
		removeReplaced(context, state.purpose, state.replacedKey);
		removeToken(context);
	}
	return isTakenBack;
}

/** The assistant sends its calls to nobody. */
const NONE: KnownRegistration = { url: '', isActive: false };

/** Removes the trigger's registration, and puts back what it had changed. */
async function restore(
	context: IHookFunctions,
	state: WebhookState,
	deadline: Deadline,
): Promise<void> {
	const { event, assistantId } = state;
	const { registration = NONE, unreadable, isHidden, settings } = state.replaced;
	const request =
		registration === NONE
			? event.unregister(assistantId, settings)
			: event.register(assistantId, registration, settings);
	await serviceRequest(context, { ...request, deadline });
	if (unreadable) log(context, 'warn', messages.notPutBack(state));
	if (isHidden) log(context, 'warn', messages.hiddenNotPutBack(state));
	if (state.hiddenSettings.length > 0) log(context, 'warn', messages.settingsHidden(state));
}

/**
 * Removes the registration if it is still this trigger's own in this mode, and puts back what it had
 * changed. What is stored is forgotten only when the registration is seen to be gone.
 *
 * @returns what is left registered, see {@link runDelete}
 */
async function unregisterAt(
	context: IHookFunctions,
	target: WebhookTarget,
	deadline: Deadline,
): Promise<string | undefined> {
	const state = await readWebhookState(context, target, deadline);
	const {
		assistant,
		assistantId,
		registration,
		owner,
		replaced,
		registered,
		replacedKey,
		purpose,
	} = state;
	if (!assistant) return registered && messages.webhookLeftUnseen(state);
	const isOwn = owner === 'ours-in-other-mode' && registered?.isAt(registration.url ?? '') === true;
	const isRegistered = owner === 'ours' || isOwn;
	// Who removed the URL since may have left the settings.
	const isLeft = ([name, was]: [string, boolean]) => owner === 'none' && assistant[name] === !was;
	if (isRegistered) {
		await restore(context, state, deadline);
		if (!isTest(context)) noteTakenOff(context, assistantId, messages.describeAssistant(assistant));
	} else if (Object.entries(replaced.settings).some(isLeft)) {
		const { settings } = replaced;
		await restore(context, { ...state, replaced: { settings } }, deadline);
	}
	// What was replaced is needed until it was put back.
	if (isRegistered || owner === 'none') removeReplaced(context, purpose, replacedKey);
	if (owner === 'elsewhere') return messages.webhookLeftElsewhere(messageValues(context, state));
	const isOfAccount = registered?.isOfAccount(replacedKey.account) ?? true;
	if (!isRegistered && !isOfAccount) return messages.webhookLeftUnseen(state);
	const isGone = isRegistered || ['none', 'foreign'].includes(owner);
	if (isGone && registeredToken(context)?.isFor(purpose)) removeToken(context);
	return undefined;
}

/**
 * Removes the registration. It reads first, because n8n also calls this after a failed registration, when the
 * webhook may be somebody else's.
 *
 * @returns false when something is left, see {@link runDelete}
 */
export async function unregisterWebhook(context: IHookFunctions): Promise<boolean> {
	let described = 'registered at its assistant';
	const prepare = () => {
		const targets = readRemovedTargets(context);
		described = targets.map(messages.registeredAt).join(' or ');
		const run = async (deadline: Deadline) => {
			const left: string[] = [];
			for (const each of targets) left.push((await unregisterAt(context, each, deadline)) ?? '');
			return left.filter(Boolean).join(' Also, it ');
		};
		return { assistantIds: assistantIdsOf(targets), run };
	};
	return await runDelete(context, prepare, () => described);
}
