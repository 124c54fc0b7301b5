import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import type { Deadline } from '../client/deadline';
import { mayLackOperation } from '../client/errors';
import { serviceRequest } from '../client/request';
import { visitPages } from '../pickers/visitPages';

/** The lists that public documents show (public-service: Endpoints; S1, S2, and all but the last S12a). */
export const LIST_PATHS = {
	campaigns: '/user/campaigns',
	tools: '/user/tools',
	voices: '/user/assistants/voices',
	languages: '/user/assistants/languages',
	models: '/user/assistants/models',
	assistantPhoneNumbers: '/user/assistants/phone-numbers',
	phoneNumbers: '/user/phone-numbers/all',
};

/**
 * Reads a list that the service sends whole, in one request.
 *
 * @param credential decrypted
 * @param path one of {@link LIST_PATHS}
 * @param qs what the list is narrowed by
 * @param deadline of all requests; without it, each try has 30 seconds
 * @returns undefined when the provider does not have the list (404, 405)
 * @throws {DescribedError} when the credential is wrong or the list cannot be read
 */
export async function readList(
	context: IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions,
	credential: ICredentialDataDecryptedObject,
	path: string,
	qs: IDataObject = {},
	deadline?: Deadline,
): Promise<IDataObject[] | undefined> {
	let records: IDataObject[] = [];
	const list = { method: 'GET', path, credential, deadline, isList: true } as const;
	const readPage = async (page: number) =>
		await serviceRequest(context, { ...list, qs: page > 1 ? { ...qs, page } : qs });
	const addRecords = (page: IDataObject[]) => {
		records = records.concat(page);
		return true;
	};
	const reading = visitPages(readPage, 1, addRecords).then(() => records);
	return await reading.catch((error: unknown) => {
		if (mayLackOperation(error)) return undefined;
		throw error;
	});
}
