import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, recordsIn } from '../client/json';
import { named } from '../pickers/entries';
import { withWayOut } from '../pickers/withWayOut';
import { gatherInUse, inUseEntries } from './inUse';

const toolsOf = ({ tools }: IDataObject) =>
	recordsIn(tools).map(({ id, name }) => ({
		value: asText(id),
		name: named(asText(name), `ID ${asText(id)}`),
	}));

/** Lists the mid call tools that the account's assistants have, for the picker. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const gathered = await withWayOut(this, gatherInUse(this, toolsOf));
	return { results: inUseEntries(gathered, "No assistant has a tool. Choose 'By ID'.", filter) };
}
