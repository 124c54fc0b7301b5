import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { withDetails, withManualEntryHint, type Entry } from '../pickers/entries';
import { searchPages } from '../pickers/visitPages';
import { asText } from '../values/json';
import { assistantPages, isDeleted } from './find';

function toEntry(assistant: IDataObject): Entry | undefined {
	if (isDeleted(assistant)) return undefined;
	const { id, name, type } = assistant;
	// n8n stores the name of what is chosen, so it has nothing that changes by itself.
	return { name: withDetails(asText(name), `ID ${asText(id)}`, asText(type)), value: asText(id) };
}

/** Lists the account's assistants for the picker, see {@link searchPages}. */
export async function searchAssistants(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	const search = async () => {
		const readEnvelope = await assistantPages(this);
		const picker = { readEnvelope, toEntry, none: 'Your account has no assistants yet.' };
		return await searchPages(picker, filter, paginationToken);
	};
	return await withManualEntryHint(this, search());
}
