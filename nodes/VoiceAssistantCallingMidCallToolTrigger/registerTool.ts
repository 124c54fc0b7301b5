import type { ICredentialDataDecryptedObject, IDataObject, IHookFunctions } from 'n8n-workflow';

import { credentialWithoutItem } from '../shared/client/credential';
import type { Deadline } from '../shared/client/deadline';
import {
	DescribedError,
	hasUnknownOutcome,
	isNotInAccount,
	isValidationError,
	ServiceError,
} from '../shared/client/errors';
import { serviceRequest, type ServiceRequest } from '../shared/client/request';
import { recordShapes } from '../shared/records/recordShapes';
import { triggerKey } from '../shared/webhook/triggerContext';
import { ProcessMemory } from '../shared/processMemory';
import type { Attachment } from './attachment';
import * as messages from './messages';

/** How many assistants change at the same time. */
const PARALLEL_CHANGES = 10;

/**
 * Changes a tool of the account to what the body says (contract: update mid call tool).
 *
 * @returns false when the account has no such tool
 */
export async function updateTool(
	context: IHookFunctions,
	toolId: number,
	body: IDataObject,
	deadline: Deadline,
): Promise<boolean> {
	const request: ServiceRequest = { method: 'PUT', path: `/user/tools/${toolId}`, body, deadline };
	const response = serviceRequest(context, request);
	return await response.then(
		() => true,
		(error: unknown) => {
			if (isNotInAccount(error)) return false;
			throw error;
		},
	);
}

/** The quota is the only known refusal without errors of fields (contract: Errors, Tool quota reached). */
const isQuotaReached = (error: unknown): error is ServiceError =>
	isValidationError(error) && Object.keys(error.errors).length === 0;

const creationUnknown = () =>
	new ServiceError({
		message: 'It is not known whether the service created the tool, so it was not created again',
		nextStep:
			"Look in your account at the provider. If the tool is there, set 'Tool' to 'Use Existing' and enter its ID. If not, publish again in a minute.",
	});

/** The triggers of which it is not known whether the service created their tool. */
const unknownCreations = new ProcessMemory<true>('creationUnknown');

/**
 * Creates a tool (contract: create mid call tool). A tool cannot be deleted, so it is not created again
 * at once when the response was lost.
 *
 * @param deadline with more time for a request: a slow response would leave a tool that nobody knows
 * @returns its ID
 * @throws {ServiceError} in the service's words, for example when the plan's quota is reached
 */
export async function createTool(
	context: IHookFunctions,
	body: IDataObject,
	deadline: Deadline,
): Promise<number> {
	const key = triggerKey(context);
	if (unknownCreations.get(key)) throw creationUnknown();
	const record = recordShapes.tool;
	const request: ServiceRequest = { method: 'POST', path: '/user/tools', body, record, deadline };
	const response = serviceRequest(context, request);
	const { data } = await response.catch((error: unknown) => {
		if (hasUnknownOutcome(error)) {
			unknownCreations.set(key, true);
			throw creationUnknown();
		}
		if (!isQuotaReached(error)) throw error;
		throw new ServiceError({ ...error, message: error.message, nextStep: messages.quotaReached });
	});
	const id = (data as IDataObject | undefined)?.id;
	if (Number.isInteger(id)) return id as number;
	unknownCreations.set(key, true);
	throw creationUnknown();
}

/** Gives some assistants their new lists of tools, at the same time. */
async function setTools(
	context: IHookFunctions,
	attachments: Attachment[],
	limits: { credential: ICredentialDataDecryptedObject; deadline: Deadline },
): Promise<Array<PromiseSettledResult<unknown>>> {
	return await Promise.allSettled(
		attachments.map(async ({ assistantId, toolIds }) => {
			const path = `/user/assistant/${assistantId}`;
			const body = { tool_ids: toolIds };
			await serviceRequest(context, { method: 'PUT', path, body, ...limits });
		}),
	);
}

/**
 * Gives assistants their new lists of tools, a few at the same time.
 *
 * @throws {DescribedError} that names the first assistant that failed, and those that have the tool
 */
export async function attach(
	context: IHookFunctions,
	toolId: number,
	attachments: Attachment[],
	deadline: Deadline,
): Promise<void> {
	const attached: number[] = [];
	const credential = await credentialWithoutItem(context);
	for (let next = 0; next < attachments.length; next += PARALLEL_CHANGES) {
		const batch = attachments.slice(next, next + PARALLEL_CHANGES);
		const results = await setTools(context, batch, { credential, deadline });
		const failed = results.findIndex(({ status }) => status === 'rejected');
		const done = batch.filter((_, index) => results[index]?.status === 'fulfilled');
		const withTool = done.filter(({ toolIds }) => toolIds.includes(toolId));
		attached.push(...withTool.map(({ assistantId }) => assistantId));
		const failure = results[failed];
		if (failure?.status !== 'rejected') continue;
		const error: unknown = failure.reason;
		if (!(error instanceof DescribedError)) throw error;
		const { assistantId = 0 } = batch[failed] ?? {};
		throw new DescribedError({
			message: messages.attachedInPart(toolId, attached, assistantId, error.message),
			nextStep: messages.publishAgain,
		});
	}
}

/**
 * Takes the tool from assistants. Every assistant is tried.
 *
 * @throws what the first failed request threw
 */
export async function detach(
	context: IHookFunctions,
	attachments: Attachment[],
	deadline: Deadline,
): Promise<void> {
	let failure: PromiseRejectedResult | undefined;
	const credential = await credentialWithoutItem(context);
	for (let next = 0; next < attachments.length; next += PARALLEL_CHANGES) {
		const batch = attachments.slice(next, next + PARALLEL_CHANGES);
		const results = await setTools(context, batch, { credential, deadline });
		failure ??= results.find((result) => result.status === 'rejected');
	}
	if (failure) throw failure.reason;
}
