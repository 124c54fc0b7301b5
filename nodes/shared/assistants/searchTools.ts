import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { withDetails, withManualEntryHint } from '../pickers/entries';
import { isId } from '../values/ids';
import { asText } from '../values/json';
import { gatherInUse, inUseEntries } from './inUse';
import { toolsOf } from './tools';

const getTools = (assistant: IDataObject) =>
	(toolsOf(assistant) ?? [])
		.filter(({ id }) => isId(id))
		.map(({ id, name }) => ({
			value: asText(id),
			name: withDetails(asText(name), `ID ${asText(id)}`),
		}));

/** Lists the mid call tools that the account's assistants have, for the picker. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const gathered = await withManualEntryHint(this, gatherInUse(this, getTools));
	return { results: inUseEntries(gathered, "No assistant has a tool. Choose 'By ID'.", filter) };
}
