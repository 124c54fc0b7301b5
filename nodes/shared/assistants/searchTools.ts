import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, recordsIn } from '../client/json';
import { named } from '../pickers/entries';
import { withWayOut } from '../pickers/withWayOut';
import { gatherInUse, inUseEntries, usersInWords } from './inUse';

const toolsOf = ({ tools }: IDataObject) =>
	recordsIn(tools).map(({ id, name }) => ({ value: asText(id), name: asText(name) }));

/** Lists the mid call tools that the account's assistants have, for the picker. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { inUse, isComplete } = await withWayOut(this, gatherInUse(this, toolsOf));
	const entries = inUse.map(({ value, name, users }) => ({
		name: `${named(name, `ID ${value}`)}, ${usersInWords(users)}`,
		value,
	}));
	const none = "No assistant has a tool. Choose 'By ID'.";
	return { results: inUseEntries({ entries, isComplete }, none, filter) };
}
