import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { withDetails, withManualEntryHint, type Entry } from '../pickers/entries';
import { searchPagedList } from '../pickers/visitPages';
import { asText } from '../values/json';
import { assistantPageReader, isDeleted } from './find';

function toEntry(assistant: IDataObject): Entry | undefined {
	if (isDeleted(assistant)) return undefined;
	const { id, name, type } = assistant;
	// n8n stores the name of what is chosen, so it has nothing that changes by itself.
	return { name: withDetails(asText(name), `ID ${asText(id)}`, asText(type)), value: asText(id) };
}

/** Lists the account's assistants for the picker, see {@link searchPagedList}. */
export async function searchAssistants(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const search = async () => {
		const readEnvelope = await assistantPageReader(this);
		const picker = { readEnvelope, toEntry, none: 'Your account has no assistants yet.' };
		return await searchPagedList(picker, filter, paginationToken);
	};
	return await withManualEntryHint(this, search());
}
