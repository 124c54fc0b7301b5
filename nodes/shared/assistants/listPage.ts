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

/** A service may never end its list. */
const MAX_PAGES = 100;

/** Makes the entries of a picker from assistant records. */
export type ToItems = (assistants: IDataObject[]) => INodeListSearchItems[];

const matches = (filter: string) => {
	const words = filter.trim().toLowerCase();
	return ({ name, value }: INodeListSearchItems) =>
		name.toLowerCase().includes(words) || String(value) === words;
};

/** Reads one page of assistants. The message of a failure offers to enter the ID instead. */
async function readAssistantPage(this: ILoadOptionsFunctions, page: number) {
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
 * Lists the entries of a picker, page by page. n8n requests the next page when the user scrolls. The
 * service cannot search, so the filter works on one page. A page without a match is skipped, because
 * n8n would show an empty list.
 *
 * @param filter part of a name, or an id
 * @param paginationToken number of the page; pages count from 1
 * @throws {NodeOperationError} when the list cannot be read
 */
export async function listPage(
	this: ILoadOptionsFunctions,
	toItems: ToItems,
	filter = '',
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const first = Number(paginationToken);
	for (let page = first; page < first + MAX_PAGES; page++) {
		const { assistants, isLast } = await readAssistantPage.call(this, page);
		const results = toItems(assistants).filter(matches(filter));
		if (isLast) return { results };
		if (results.length > 0) return { results, paginationToken: String(page + 1) };
	}
	return { results: [] };
}
