import type { IDataObject, IHookFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

import { MAX_PER_PAGE, pages } from './pages';
import { checkedListPath, CREDENTIAL, serviceRequest } from './serviceRequest';

/**
 * Reads one page of the account's assistants.
 *
 * @param page counted from 1
 * @returns the paginated envelope of assistant records (contract: List assistants)
 * @throws {ServiceProblem} in words
 */
export async function readAssistants(
	this: IHookFunctions | ILoadOptionsFunctions,
	page: number,
): Promise<IDataObject> {
	const { assistantListPath } = await this.getCredentials(CREDENTIAL);
	return await serviceRequest.call(this, {
		method: 'GET',
		path: checkedListPath(assistantListPath),
		qs: { page, per_page: MAX_PER_PAGE },
	});
}

/**
 * Finds an assistant's record. The contract shows no way to read a single one, so the list is read
 * until it comes.
 *
 * @param id the assistant's id
 * @returns its record, or undefined when the account has none with that id
 * @throws {ServiceProblem} in words
 */
export async function findAssistant(
	this: IHookFunctions | ILoadOptionsFunctions,
	id: number,
): Promise<IDataObject | undefined> {
	for await (const rows of pages((page) => readAssistants.call(this, page))) {
		const assistant = rows.find((row) => row.id === id);
		if (assistant) return assistant;
	}
	return undefined;
}
