import {
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';

import { DescribedError } from '../client/errors';
import { recordsIn } from '../client/json';
import { lastPage } from '../client/pages';
import { isDeleted, readAssistants } from './find';

/** A list that never ends is not searched for ever. */
const MAX_PAGES = 100;

/** What a picker shows for the assistants of one page. */
export type ToItems = (assistants: IDataObject[]) => INodeListSearchItems[];

const matches = (filter: string) => {
	const words = filter.trim().toLowerCase();
	return ({ name, value }: INodeListSearchItems) =>
		name.toLowerCase().includes(words) || String(value) === words;
};

/** Reads one page of assistants; a failure tells the way around it. */
async function readPage(this: ILoadOptionsFunctions, page: number) {
	const envelope = await readAssistants.call(this, page).catch((error: unknown) => {
		if (!(error instanceof DescribedError)) throw error;
		const text = `${error.text} You can also choose 'By ID'.`;
		throw new NodeOperationError(this.getNode(), text);
	});
	const rows = recordsIn(envelope.data);
	const assistants = rows.filter((row) => !isDeleted(row));
	return { assistants, isLast: lastPage(envelope, page, rows.length) <= page };
}

/**
 * Answers a picker with what the account's assistants hold, page by page; n8n asks for the next one
 * when the user scrolls. The service cannot search, so the filter works on the page; one without any
 * entry is passed over, because n8n would show that there is nothing at all.
 *
 * @param toItems makes the entries of the picker from assistant records
 * @param filter what the user typed: part of a name, or an id
 * @param paginationToken number of the page to read, counted from 1
 * @throws {NodeOperationError} in words; the user can give the ID instead
 */
export async function listPage(
	this: ILoadOptionsFunctions,
	toItems: ToItems,
	filter = '',
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const first = Number(paginationToken);
	for (let page = first; page < first + MAX_PAGES; page++) {
		const { assistants, isLast } = await readPage.call(this, page);
		const results = toItems(assistants).filter(matches(filter));
		if (isLast) return { results };
		if (results.length > 0) return { results, paginationToken: String(page + 1) };
	}
	return { results: [] };
}
