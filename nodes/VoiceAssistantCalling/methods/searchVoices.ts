import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { gatherInUse, inUseEntries, usersInWords } from '../../shared/assistants/inUse';
import { isId } from '../../shared/client/ids';
import { withWayOut } from '../../shared/pickers/withWayOut';

const voicesOf = ({ voice_id: id }: IDataObject) =>
	isId(id) ? [{ value: String(id), name: `Voice ${String(id)}` }] : [];

/** Lists the voices that the account's assistants use. The contract shows no list of voices. */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { inUse, isComplete } = await withWayOut(this, gatherInUse(this, voicesOf));
	const entries = inUse.map(({ value, name, users }) => ({
		name: `${name}, ${usersInWords(users)}`,
		value,
	}));
	const none = "No assistant has a voice. Choose 'By ID'.";
	return { results: inUseEntries({ entries, isComplete }, none, filter) };
}
