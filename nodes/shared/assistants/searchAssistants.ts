import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { asText } from '../client/json';
import { listPage, type ToItems } from './listPage';

const toItems: ToItems = (assistants) =>
	assistants.map(({ id, name, type }) => ({
		name: `${asText(name)} (${asText(type)})`,
		value: asText(id),
	}));

/** Lists the account's assistants for the picker, see {@link listPage}. */
export async function searchAssistants(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) {
	return await listPage.call(this, toItems, filter, paginationToken);
}
