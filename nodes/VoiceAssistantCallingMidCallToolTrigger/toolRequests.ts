import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { credentialWithoutItem } from '../shared/client/credential';
import type { Deadline } from '../shared/client/deadline';
import {
	DescribedError,
	hasUnknownOutcome,
	isNotInAccount,
	isValidationError,
	mayLackOperation,
	ServiceError,
} from '../shared/client/errors';
import { serviceRequest, type ServiceRequest } from '../shared/client/request';
import { parseConfirmed, parseCreated } from '../shared/client/response';
import { toContractRecord } from '../shared/records/contractRecord';
import { recordShapes } from '../shared/records/recordShapes';
import { triggerKey } from '../shared/webhook/triggerContext';
import { ProcessMemory } from '../shared/processMemory';
import { isRecord } from '../shared/values/json';
import { idsOf, type Attachment } from './attachment';
import * as messages from './toolMessages';

/** How many assistants change at the same time. */
const PARALLEL_CHANGES = 10;

/**
 * Reads a tool of the account (public-service: Mid call tools; S1, S2, S12a).
 *
 * @returns undefined when the account has no such tool, or the service has no such operation
 * @throws {DescribedError} when the service does not answer or refuses
 */
export async function readTool(
	context: IHookFunctions,
	toolId: number,
	deadline: Deadline,
): Promise<IDataObject | undefined> {
	const request: ServiceRequest = { method: 'GET', path: `/user/tools/${toolId}`, deadline };
	const response = serviceRequest(context, request);
	const { data, ...bare } = await response.catch((error: unknown): IDataObject => {
		if (isNotInAccount(error) || mayLackOperation(error)) return {};
		throw error;
	});
	const tool = toContractRecord(isRecord(data) ? data : bare, recordShapes.tool);
	return tool.id === toolId ? tool : undefined;
}

const put = (path: string, body: IDataObject): ServiceRequest => ({
	method: 'PUT',
	path,
	body,
	parseResponse: parseConfirmed,
});

/**
 * Changes a tool of the account to what the body says (contract: update mid call tool).
 *
 * @returns the tool as the service answers it; undefined when the account has no such tool
 */
export async function updateTool(
	context: IHookFunctions,
	toolId: number,
	body: IDataObject,
	deadline: Deadline,
): Promise<IDataObject | undefined> {
	const response = serviceRequest(context, { ...put(`/user/tools/${toolId}`, body), deadline });
	return await response.then(
		({ data }) => ({ ...(isRecord(data) && data), id: toolId }),
		(error: unknown) => {
			if (isNotInAccount(error)) return undefined;
			throw error;
		},
	);
}

/** The quota is the only known refusal without errors of fields (contract: Errors, Tool quota reached). */
const isQuotaReached = (error: unknown): error is ServiceError =>
	isValidationError(error) && Object.keys(error.errors).length === 0;

/** @param why undefined where an earlier try of the same publish has said it */
const creationUnknown = (why?: string) =>
	new ServiceError({
		message: `It is not known whether the service created the tool, so it was not created again${why ? ` (${why})` : ''}`,
		nextStep:
			"Look in your account at the provider. If the tool is there, set 'Tool' to 'Use Existing' and enter its ID. If not, publish again in a minute.",
	});

/** The triggers of which it is not known whether the service created their tool. */
const unknownCreations = new ProcessMemory<true>('creationUnknown');

/**
 * Creates a tool (contract: create mid call tool). The plan limits the number of tools, so it is not created
 * again at once when the response was lost.
 *
 * @param deadline of which it may take all: a slow response would leave a tool that nobody knows
 * @returns the tool as the service answers it, with its ID
 * @throws {ServiceError} in the service's words, for example when the plan's quota is reached
 */
export async function createTool(
	context: IHookFunctions,
	body: IDataObject,
	deadline: Deadline,
): Promise<IDataObject> {
	const key = triggerKey(context);
	if (unknownCreations.get(key)) throw creationUnknown();
	const unknown = (why?: string) => {
		unknownCreations.set(key, true);
		// Nothing deletes a tool unasked, so the `delete` that follows has nothing to do.
		deadline.mayHaveChanged = false;
		return creationUnknown(why);
	};
	const record = recordShapes.tool;
	const response = serviceRequest(context, {
		...{ method: 'POST', path: '/user/tools', body, record, deadline, isWaitedFor: true },
		parseResponse: parseCreated,
	});
	const { data } = await response.catch((error: unknown) => {
		if (hasUnknownOutcome(error)) throw unknown(error.message);
		if (!isQuotaReached(error)) throw error;
		throw new ServiceError({ ...error, message: error.message, nextStep: messages.quotaReached });
	});
	if (isRecord(data) && Number.isInteger(data.id)) return data;
	throw unknown();
}

/** A change that was tried. Without an error, the service confirmed it. */
interface TriedChange extends Attachment {
	error?: unknown;
}

const isRefused = ({ error }: TriedChange) => error !== undefined && !hasUnknownOutcome(error);

/**
 * Gives assistants their new lists of tools, a few at the same time.
 *
 * @param stopsWhenRefused whether a refusal is the end, so that no further assistants are tried
 */
async function setTools(
	context: IHookFunctions,
	attachments: Attachment[],
	{ deadline, stopsWhenRefused }: { deadline: Deadline; stopsWhenRefused: boolean },
): Promise<TriedChange[]> {
	const credential = await credentialWithoutItem(context);
	const change = async (attachment: Attachment): Promise<TriedChange> => {
		const body = { tool_ids: idsOf(attachment.tools) as number[] };
		const request = put(`/user/assistant/${attachment.assistantId}`, body);
		return await serviceRequest(context, { ...request, credential, deadline }).then(
			() => attachment,
			(error: unknown) => ({ ...attachment, error }),
		);
	};
	const tried: TriedChange[] = [];
	for (let next = 0; next < attachments.length; next += PARALLEL_CHANGES) {
		const batch = attachments.slice(next, next + PARALLEL_CHANGES);
		tried.push(...(await Promise.all(batch.map(change))));
		if (stopsWhenRefused && tried.some(isRefused)) break;
	}
	return tried;
}

/** The change of an assistant that failed, or whose response was lost. */
export interface LostChange {
	assistantId: number;
	error: DescribedError;
}

/** The failure of a publish that has given the tool to some assistants. @param attached their IDs */
export const attachFailure = (
	toolId: number,
	attached: number[],
	{ assistantId, error }: LostChange,
) =>
	new DescribedError({
		message: messages.attachedInPart(toolId, attached, assistantId, error.message),
		nextStep: messages.publishAgain,
	});

/**
 * Gives assistants their new lists of tools, a few at the same time. A response that was lost is looked up by
 * the caller.
 *
 * @returns the first change whose response was lost, if there is one
 * @throws {DescribedError} that names the first assistant that failed, and those that have the tool
 */
export async function attach(
	context: IHookFunctions,
	toolId: number,
	attachments: Attachment[],
	deadline: Deadline,
): Promise<LostChange | undefined> {
	const tried = await setTools(context, attachments, { deadline, stopsWhenRefused: true });
	const refused = tried.find(isRefused);
	if (refused) {
		const { assistantId, error } = refused;
		if (!(error instanceof DescribedError)) throw error;
		const attached = tried.filter((each) => !each.error && idsOf(each.tools).includes(toolId));
		const attachedIds = attached.map((each) => each.assistantId);
		throw attachFailure(toolId, attachedIds, { assistantId, error });
	}
	return tried.find((each): each is TriedChange & LostChange => hasUnknownOutcome(each.error));
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
	const tried = await setTools(context, attachments, { deadline, stopsWhenRefused: false });
	const failed = tried.find(({ error }) => error !== undefined);
	if (failed) throw failed.error;
}
