import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { credentialWithoutItem, toEndpoint } from '../../shared/client/credential';
import { ServiceError } from '../../shared/client/errors';
import { listPages } from '../../shared/client/listPages';
import {
	toMessageEntry,
	withDetails,
	withManualEntryHint,
	type Entry,
} from '../../shared/pickers/entries';
import { searchPages } from '../../shared/pickers/visitPages';
import { isId } from '../../shared/values/ids';
import { asText } from '../../shared/values/json';

const NO_LIST = toMessageEntry("Your provider has no list of campaigns. Choose 'By ID'.");

const hasNoList = (error: unknown): boolean =>
	error instanceof ServiceError && ['404', '405'].includes(error.httpCode ?? '');

function toEntry({ id, name }: IDataObject): Entry | undefined {
	if (!isId(id)) return undefined;
	return {
		// n8n stores the name of what is chosen, so it has nothing that changes by itself.
		name: withDetails(asText(name), `ID ${asText(id)}`),
		value: asText(id),
	};
}

/** Lists the account's campaigns. */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const search = async () => {
		const credential = await credentialWithoutItem(this);
		const { campaignListPath: path } = toEndpoint(credential);
		const readEnvelope = listPages(this, { path, credential });
		const picker = { readEnvelope, toEntry, none: "There are no campaigns. Choose 'By ID'." };
		return await searchPages(picker, filter, paginationToken).catch((error: unknown) => {
			if (!hasNoList(error)) throw error;
			return { results: [NO_LIST] };
		});
	};
	return await withManualEntryHint(this, search());
}
