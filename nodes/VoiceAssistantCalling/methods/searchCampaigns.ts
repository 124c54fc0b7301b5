import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
} from 'n8n-workflow';

import { isDeleted } from '../../shared/assistants/find';
import { credentialWithoutItem, toEndpoint } from '../../shared/client/credential';
import { ServiceError } from '../../shared/client/errors';
import { listPages } from '../../shared/client/listPages';
import type { ReadEnvelope } from '../../shared/client/pages';
import { withDetails, withManualEntryHint, type Entry } from '../../shared/pickers/entries';
import { searchPages } from '../../shared/pickers/visitPages';
import { isId } from '../../shared/values/ids';
import { asText } from '../../shared/values/json';
import { searchCampaignsOfCalls } from './campaignsOfCalls';

function toEntry(campaign: IDataObject): Entry | undefined {
	const { id, name } = campaign;
	if (!isId(id) || isDeleted(campaign)) return undefined;
	return {
		// n8n stores the name of what is chosen, so it has nothing that changes by itself.
		name: withDetails(asText(name), `ID ${asText(id)}`),
		value: asText(id),
	};
}

/** Another page of the service may answer at the assumed path, with success and without a list. */
class NoList extends Error {}

/** A wrong token, a rate limit and a service that is down say nothing about the path. */
const OTHER_REASONS = /^(401|402|429|5\d\d)$/;

/** The path is assumed, so any other refusal there says that there is no list. */
const hasNoList = (error: unknown) =>
	error instanceof NoList ||
	(error instanceof ServiceError &&
		/^\d+$/.test(error.httpCode ?? '') &&
		!OTHER_REASONS.test(error.httpCode ?? ''));

/** Makes a function that reads one page of campaigns, at the assumed path (list-campaigns-path). */
function campaignPages(
	context: ILoadOptionsFunctions,
	credential: ICredentialDataDecryptedObject,
): ReadEnvelope {
	const { campaignListPath: path } = toEndpoint(credential);
	const readPage = listPages(context, { path, credential });
	return async (page) => {
		const envelope = await readPage(page);
		if (!Array.isArray(envelope.data)) throw new NoList();
		return envelope;
	};
}

/** Lists the account's campaigns, or those of its calls when the service has no list of campaigns. */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const search = async () => {
		const credential = await credentialWithoutItem(this);
		const readEnvelope = campaignPages(this, credential);
		const picker = { readEnvelope, toEntry, none: "There are no campaigns. Choose 'By ID'." };
		return await searchPages(picker, filter, paginationToken).catch(async (error: unknown) => {
			if (hasNoList(error)) return await searchCampaignsOfCalls(this, credential, filter);
			throw error;
		});
	};
	return await withManualEntryHint(this, search());
}
