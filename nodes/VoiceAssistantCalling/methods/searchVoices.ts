import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { gatherInUse, inUseEntries } from '../../shared/assistants/inUse';
import { withManualEntryHint } from '../../shared/pickers/entries';
import { isId } from '../../shared/values/ids';
import { asText } from '../../shared/values/json';

const getVoices = ({ voice_id: id }: IDataObject) =>
	isId(id) ? [{ value: asText(id), name: `Voice ${asText(id)}` }] : [];

/** Lists the voices that the account's assistants use. The contract shows no list of voices. */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const gathered = await withManualEntryHint(this, gatherInUse(this, getVoices));
	return { results: inUseEntries(gathered, "No assistant has a voice. Choose 'By ID'.", filter) };
}
