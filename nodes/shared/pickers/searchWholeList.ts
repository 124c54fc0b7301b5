import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
} from 'n8n-workflow';

import { credentialWithoutItem } from '../client/credential';
import { isId } from '../values/ids';
import { asText } from '../values/json';
import { byName, matchesFilter, toMessageEntry, withManualEntryHint, type Entry } from './entries';

/** How a picker shows a list that the service sends whole. */
interface ListPicker {
	/** Undefined when the provider does not have the list. */
	read: (
		context: ILoadOptionsFunctions,
		credential: ICredentialDataDecryptedObject,
	) => Promise<IDataObject[] | undefined>;
	/** Undefined for a record that cannot be picked. */
	toEntry: (record: IDataObject) => Entry | undefined;
	/** What the list has, for the sentence of an empty one. */
	what: string;
	/** The mode in which the user can enter the value instead. */
	mode?: string;
}

/** An entry whose value is the record's ID. n8n stores its name, so it has nothing that changes by itself. */
export const entryById = ({ id }: IDataObject, name: string): Entry | undefined =>
	isId(id) ? { name, value: asText(id) } : undefined;

/** An entry whose value is the record's name. */
export function entryByName(record: IDataObject): Entry | undefined {
	const name = asText(record.name).trim();
	return name === '' ? undefined : { name, value: name };
}

/** Makes the method that fills a picker with what fits the filter, by name. */
export const searchWholeList = ({ read, toEntry, what, mode = 'By ID' }: ListPicker) =>
	async function search(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const list = async () => {
			const records = await read(this, await credentialWithoutItem(this));
			if (!records) return [toMessageEntry(`Your provider has no such list. Choose '${mode}'.`)];
			const entries = records.map(toEntry).filter((entry) => entry !== undefined);
			if (entries.length === 0) return [toMessageEntry(`There are no ${what}. Choose '${mode}'.`)];
			return entries.filter(matchesFilter(filter)).sort(byName);
		};
		return { results: await withManualEntryHint(this, list(), mode) };
	};
