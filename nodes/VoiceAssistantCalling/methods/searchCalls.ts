import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { credentialWithoutItem } from '../../shared/client/credential';
import { pageReader } from '../../shared/client/pageReader';
import { withManualEntryHint, type Entry } from '../../shared/pickers/entries';
import { searchPagedList } from '../../shared/pickers/visitPages';
import { recordShapes } from '../../shared/records/recordShapes';
import { asText } from '../../shared/values/json';

/** The list of calls grows without end. */
const MAX_PAGES = 20;

/** n8n cuts off what does not fit, so the entry has only what tells calls apart. */
function toEntry(call: IDataObject): Entry {
	const [day = '', time = ''] = asText(call.created_at).split(/[ T]/);
	const parts = [
		`${day} ${time.slice(0, 5)}`,
		asText(call.client_phone_number),
		asText(call.status),
	];
	return {
		name: parts.filter((part) => part.trim() !== '').join(' · '),
		value: asText(call.id),
	};
}

/** Lists calls for the picker, see {@link searchPagedList}. The service finds only whole phone numbers. */
export async function searchCalls(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const search = async () => {
		const credential = await credentialWithoutItem(this);
		const list = { path: '/user/calls', record: recordShapes.call, credential };
		const readEnvelope = pageReader(this, list);
		const none = 'Your account has no calls yet.';
		const picker = { readEnvelope, toEntry, none, maxPages: MAX_PAGES };
		return await searchPagedList(picker, filter, paginationToken);
	};
	return await withManualEntryHint(this, search());
}
