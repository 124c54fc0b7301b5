import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { asText, recordsIn } from '../client/json';
import { listPage, type ToItems } from './listPage';

/** The service cannot list tools, but each assistant's record has its tools (contract: `tools`). */
const toItems: ToItems = (assistants) => {
	const tools = assistants.flatMap((assistant) => recordsIn(assistant.tools));
	const names = new Map(tools.map(({ id, name }) => [asText(id), asText(name)]));
	return [...names].map(([value, name]) => ({ name, value }));
};

/** Lists the mid call tools of the account's assistants for the picker, see {@link listPage}. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	return await listPage.call(this, toItems, filter, paginationToken);
}
