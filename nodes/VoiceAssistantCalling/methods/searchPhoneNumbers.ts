import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { gatherInUse, inUseEntries } from '../../shared/assistants/inUse';
import { withManualEntryHint } from '../../shared/pickers/entries';
import { isId } from '../../shared/values/ids';
import { asText } from '../../shared/values/json';

const getPhoneNumbers = ({ phone_number_id: id }: IDataObject) =>
	isId(id) ? [{ value: asText(id), name: `Phone number ${asText(id)}` }] : [];

/** Lists the phone numbers that the account's assistants have. Their records show the ID alone. */
export async function searchPhoneNumbers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const gathered = await withManualEntryHint(this, gatherInUse(this, getPhoneNumbers));
	const none = "No assistant has a phone number. Choose 'By ID'.";
	return { results: inUseEntries(gathered, none, filter) };
}
