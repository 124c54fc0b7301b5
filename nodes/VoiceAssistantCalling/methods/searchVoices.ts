import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { gatherInUse, inUseEntries } from '../../shared/assistants/inUse';
import { isId } from '../../shared/client/ids';
import { asText } from '../../shared/client/json';
import { withWayOut } from '../../shared/pickers/withWayOut';

const voicesOf = ({ voice_id: id }: IDataObject) =>
	isId(id) ? [{ value: asText(id), name: `Voice ${asText(id)}` }] : [];

/** Lists the voices that the account's assistants use. The contract shows no list of voices. */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const gathered = await withWayOut(this, gatherInUse(this, voicesOf));
	return { results: inUseEntries(gathered, "No assistant has a voice. Choose 'By ID'.", filter) };
}
