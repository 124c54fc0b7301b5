import type {
	IDataObject,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { credentialWithoutItem, toEndpoint } from '../client/credential';
import type { Deadline } from '../client/deadline';
import { mayLackOperation, ServiceError } from '../client/errors';
import { pageReader } from '../client/pageReader';
import type { ReadEnvelope } from '../client/pages';
import { RecordList } from '../client/recordList';
import { recordShapes } from '../records/recordShapes';
import { asText } from '../values/json';

/** The contract does not show the path, so a service may have the list at another one. */
export const LIST_PATH_ADVICE =
	'Check the Base URL in the credential. If it is right, ask your provider for the path of the list. Enter it in the credential under Use Other List Paths.';

const listNotFound = (path: string) =>
	new ServiceError({
		message: `The service has no list of assistants at ${path}`,
		nextStep: LIST_PATH_ADVICE,
		httpCode: '404',
	});

/**
 * Makes a function that reads one page of the account's assistants (contract: List assistants). Pages
 * count from 1. The function throws {DescribedError} when the list cannot be read.
 *
 * @param deadline of all requests, see {@link pageReader}
 * @throws {InvalidInput} when the credential is wrong
 */
export async function assistantPageReader(
	context: IHookFunctions | ILoadOptionsFunctions | IPollFunctions,
	deadline?: Deadline,
): Promise<ReadEnvelope> {
	const credential = await credentialWithoutItem(context);
	const { assistantListPath: path } = toEndpoint(credential);
	const list = { path, record: recordShapes.assistant, deadline, credential };
	const readPage = pageReader(context, list);
	return async (page) =>
		await readPage(page).catch((error: unknown) => {
			throw mayLackOperation(error) && page === 1 ? listNotFound(path) : error;
		});
}

/** How many further pages are requested at the same time: n8n 2.41 gives up a publish after a minute. */
const PAGES_AHEAD = 5;

/** A deleted assistant may stay in the list (contract: Assistant record, `deleted_at`). */
export const isDeleted = ({ deleted_at: at }: IDataObject): boolean => asText(at) !== '';

/** The assistants that were found in a list. */
export interface FoundAssistants {
	/** By ID, without those that the account does not have or that were deleted. */
	assistants: Map<number, IDataObject>;
	/** Whether the service shows a field of assistants, as far as the list was read. */
	isShown: (field: string) => boolean;
	/** The list, as far as it was read. */
	list: RecordList;
}

/** Finds records in a list of assistants, see {@link findAssistants}. */
export async function findInList(
	list: RecordList,
	ids: number[],
): Promise<Map<number, IDataObject>> {
	const assistants = new Map<number, IDataObject>();
	for (const id of ids) {
		const assistant = await list.find(String(id));
		if (assistant && !isDeleted(assistant)) assistants.set(id, assistant);
	}
	return assistants;
}

/**
 * Finds assistants' records. The contract shows no way to read one assistant, so this reads the list
 * until all records came.
 *
 * @param deadline of all requests, see {@link pageReader}
 * @throws {DescribedError} when the credential is wrong or the list cannot be read
 */
export async function findAssistants(
	context: IHookFunctions | ILoadOptionsFunctions,
	ids: number[],
	deadline?: Deadline,
): Promise<FoundAssistants> {
	const list = new RecordList(await assistantPageReader(context, deadline), PAGES_AHEAD);
	const assistants = await findInList(list, ids);
	return { assistants, isShown: (field) => list.hasField(field), list };
}
