import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
} from 'n8n-workflow';

import { callFields } from '../../shared/calls/normaliseCall';
import { listPages } from '../../shared/client/listPages';
import { matches, toMessageEntry, withDetails, type Entry } from '../../shared/pickers/entries';
import { visitPages } from '../../shared/pickers/visitPages';
import { recordShapes } from '../../shared/records/recordShapes';
import { isId } from '../../shared/values/ids';
import { asText } from '../../shared/values/json';

/** The list of calls grows without end. */
const MAX_PAGES = 5;

const NONE = toMessageEntry("Your calls show no campaign's ID. Choose 'By ID'.");
const MAYBE_MORE = toMessageEntry('Only campaigns of recent calls. Others: By ID.');

/** The campaigns that calls name, in the order of the calls. A record may have the ID without the name. */
function campaignNames(calls: IDataObject[]): Map<string, string> {
	const names = new Map<string, string>();
	for (const call of calls) {
		const { campaign_id: id, campaign_name: name } = callFields(call);
		if (isId(id)) names.set(asText(id), names.get(asText(id)) || asText(name).trim());
	}
	return names;
}

/**
 * Lists the campaigns of the newest calls, for a service without a list of campaigns. A call has the name of
 * its campaign (contract: Call record); only a service that also sends the ID has entries to pick.
 *
 * @param filter part of a name, or an ID
 * @throws {DescribedError} when the calls cannot be read
 */
export async function searchCampaignsOfCalls(
	context: ILoadOptionsFunctions,
	credential: ICredentialDataDecryptedObject,
	filter = '',
): Promise<INodeListSearchResult> {
	const calls: IDataObject[] = [];
	const list = { path: '/user/calls', record: recordShapes.call, credential };
	const readEnvelope = listPages(context, list);
	const collect = (records: IDataObject[]) => calls.push(...records) > 0;
	await visitPages(readEnvelope, 1, collect, MAX_PAGES);
	const entries = [...campaignNames(calls)].map(([value, name]): Entry => ({
		name: withDetails(name || 'Campaign', `ID ${value}`),
		value,
	}));
	if (entries.length === 0) return { results: [NONE] };
	return { results: [...entries.filter(matches(filter)), MAYBE_MORE] };
}
