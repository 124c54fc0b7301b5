import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { gatherInUse, inUseEntries } from '../../shared/assistants/inUse';
import { withManualEntryHint } from '../../shared/pickers/entries';
import { asText } from '../../shared/values/json';

function getLanguages({ language }: IDataObject) {
	const name = asText(language).trim();
	return name === '' ? [] : [{ value: name, name }];
}

/** Lists the languages that the account's assistants use: the service certainly knows them under these names. */
export async function searchLanguages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const gathered = await withManualEntryHint(this, gatherInUse(this, getLanguages), 'By Name');
	return {
		results: inUseEntries(gathered, "No assistant has a language. Choose 'By Name'.", filter),
	};
}
