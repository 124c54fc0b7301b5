import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { checkBaseUrl, credentialWithoutItem } from '../client/credential';
import { Deadline, type TimeLimits } from '../client/deadline';
import {
	DescribedError,
	hasUnknownOutcome,
	isValidationError,
	ServiceError,
	toNodeError,
} from '../client/errors';
import { log, logHourly } from '../log';
import { withAssistantLock } from './lock';
import { neitherTells, toPublishError } from './publishError';
import { noteUnchanged, withPublishTime, withUnpublishTime } from './publishTime';
import { prefixNote, whyUnreachable } from './reachability';
import { registeredToken } from './registeredToken';
import type { Purpose } from './token';
import { isStarting, isTest, webhookUrl } from './triggerContext';
import { noteWorkflowName } from './workflowNames';

/** What a hook reads or changes. */
interface HookWork<Result> {
	assistantIds: number[];
	/** All its requests have the deadline. */
	run: (deadline: Deadline) => Promise<Result>;
}

/** Makes the error of an attempt, and notes when it could not change anything. */
function toHookError(
	context: IHookFunctions,
	error: unknown,
	deadline?: Deadline,
	assistantIds: number[] = [],
): NodeOperationError {
	if (deadline?.mayHaveChanged === false) noteUnchanged(context);
	return isTest(context) || isStarting(context)
		? toNodeError(context.getNode(), error)
		: toPublishError(context.getNode(), error, neitherTells(context, assistantIds));
}

/**
 * Runs `checkExists`, after all changes of the same assistants: a `delete` that n8n 2.41 has given up may still
 * remove what is registered. At n8n's start, a registration that cannot be checked counts as registered.
 *
 * @param what is registered
 * @param getPurpose gets what the trigger is registered for
 * @param prepare reads the fields. Its work tells whether it is registered
 * @throws {NodeOperationError} when the service does not answer or refuses
 */
export async function runCheckExists(
	context: IHookFunctions,
	what: 'registration' | 'tool',
	getPurpose: (context: IHookFunctions) => Purpose,
	prepare: () => HookWork<boolean>,
): Promise<boolean> {
	let deadline: Deadline | undefined;
	noteWorkflowName(context);
	try {
		const { assistantIds, run } = prepare();
		const check = async (limits: TimeLimits) => {
			const own = (deadline = new Deadline(limits));
			const { baseUrl } = await credentialWithoutItem(context);
			return await withAssistantLock(baseUrl, assistantIds, own, async () => await run(own));
		};
		return await withPublishTime(context, check);
	} catch (error) {
		const isDown = error instanceof ServiceError && isStarting(context);
		const isKnown = isDown && registeredToken(context)?.isFor(getPurpose(context));
		if (!isKnown) throw toHookError(context, error, deadline);
		log(context, 'warn', `The ${what} could not be checked. The trigger counts as registered.`);
		return true;
	}
}

/** The fields in which a trigger sends the URL that n8n gives its webhook. */
const URL_FIELDS = ['webhook_url', 'endpoint'];

/** Says where the URL comes from that the service refused: the trigger has no field for it. */
function withUrlAdvice(error: unknown): unknown {
	if (!isValidationError(error)) return error;
	if (!URL_FIELDS.some((field) => Object.hasOwn(error.errors, field))) return error;
	const nextStep =
		'This URL comes from n8n: set the environment variable WEBHOOK_URL to an address that the service accepts, restart n8n and try again.';
	return new ServiceError({ ...error, message: error.message, nextStep });
}

/**
 * Runs `create`, after all other changes of the same assistants.
 *
 * @param prepare reads the fields, and throws when the trigger must not be registered
 * @throws {NodeOperationError} when the service cannot reach this n8n, and for all that is thrown
 */
export async function runCreate(
	context: IHookFunctions,
	prepare: () => HookWork<void>,
): Promise<boolean> {
	let deadline: Deadline | undefined;
	let asked: number[] = [];
	noteWorkflowName(context);
	try {
		const { baseUrl } = await credentialWithoutItem(context);
		const unreachable = whyUnreachable(checkBaseUrl(baseUrl), webhookUrl(context));
		if (unreachable) throw new NodeOperationError(context.getNode(), unreachable);
		const { assistantIds, run } = prepare();
		asked = assistantIds;
		return await withPublishTime(context, async (limits) => {
			const ownDeadline = (deadline = new Deadline(limits));
			const change = async () => await run(ownDeadline);
			await withAssistantLock(baseUrl, assistantIds, ownDeadline, change);
			const note = isStarting(context) ? undefined : prefixNote(webhookUrl(context));
			if (note) logHourly(context, 'info', note);
			return true;
		});
	} catch (error) {
		throw toHookError(context, withUrlAdvice(error), deadline, asked);
	}
}

/**
 * Runs a change that reads before it writes. When the response of a write was lost, it runs once more: it
 * reads what the service did, and writes only what is missing.
 *
 * @throws what the last run throws
 */
async function againIfUnknown<Result>(change: () => Promise<Result>): Promise<Result> {
	return await change().catch(async (error: unknown) => {
		if (!hasUnknownOutcome(error)) throw error;
		return await change();
	});
}

/** Says in n8n's log what is registered and is not removed. n8n 2.41 calls the hook after each of five attempts. */
export const warnOfLeft = (context: IHookFunctions, left: string): void =>
	logHourly(context, 'warn', `The trigger ${left}`);

const REPAIR =
	"Publish the workflow and unpublish it again to repair this. 'Voice Assistant → Get Webhook Status' shows what is registered.";

/**
 * Says in n8n's log that `delete` failed, and how to repair it. If `delete` threw, no user would see the
 * error: n8n logs it, and shows the workflow as not published (n8n.md#failed-unpublish). n8n 2.0 would also leave the
 * other triggers of the workflow registered.
 */
export function warnLeftBehind(context: IHookFunctions, left: string, error: unknown): void {
	const described = error instanceof DescribedError ? error : toNodeError(context.getNode(), error);
	const reason = described.message.replace(/\.$/, '');
	log(context, 'warn', `The trigger may still be ${left}: ${reason}. ${REPAIR}`);
}

/**
 * Runs `delete`, after all other changes of the same assistants. n8n also calls it after a failed `create`.
 *
 * @param prepare reads the fields. Its work runs again when a response was lost, and gives what it left registered:
 * the end of the sentence _The trigger …_, if there is something
 * @param describeLeft says where the trigger may be left: `registered at the assistant 7`
 * @returns false when something is left, or the service did not answer or refused. n8n's log says it
 */
export async function runDelete(
	context: IHookFunctions,
	prepare: () => HookWork<string | void>,
	describeLeft: () => string,
): Promise<boolean> {
	noteWorkflowName(context);
	try {
		return await withUnpublishTime(context, async (limits) => {
			const { assistantIds, run } = prepare();
			const { baseUrl } = await credentialWithoutItem(context);
			const deadline = new Deadline(limits);
			const change = async () => await againIfUnknown(async () => await run(deadline));
			const left = await withAssistantLock(baseUrl, assistantIds, deadline, change);
			if (left) warnOfLeft(context, left);
			return !left;
		});
	} catch (error) {
		warnLeftBehind(context, describeLeft(), error);
		return false;
	}
}
