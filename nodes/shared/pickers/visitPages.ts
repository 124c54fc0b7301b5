import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';

import { lastPage, MAX_PER_PAGE, rowsIn, type ReadEnvelope } from '../client/pages';
import { matchesFilter, toMessageEntry, type Entry } from './entries';

/** The most records that a picker reads: a service may never end its list. */
const MAX_PICKER_RECORDS = 10_000;
const MAX_PAGES = MAX_PICKER_RECORDS / MAX_PER_PAGE;

const notAmongFirst = (records: number) =>
	`Not among the first ${records.toLocaleString('en')}. Choose 'By ID'.`;

/** After the first page, which says how many there are. */
const PAGES_AT_ONCE = 5;

/**
 * Reads a list for a picker, several pages at the same time.
 *
 * @param first number of the page to begin with; pages count from 1
 * @param visit is given the records of each page, in their order. It returns whether it wants more
 * @param maxPages the most pages that are read
 * @returns the number of the next page; undefined at the end of the list
 * @throws what `readEnvelope` throws, and {ServiceError} when a response is no list
 */
export async function visitPages(
	readEnvelope: ReadEnvelope,
	first: number,
	visit: (records: IDataObject[]) => boolean,
	maxPages = MAX_PAGES,
): Promise<number | undefined> {
	let page = first;
	let last = first;
	for (let wantsMore = true; wantsMore && page <= last && page < first + maxPages;) {
		const left = Math.min(last + 1, first + maxPages) - page;
		const count = page === first ? 1 : Math.min(PAGES_AT_ONCE, left);
		const numbers = Array.from({ length: count }, (_, index) => page + index);
		for (const envelope of await Promise.all(numbers.map(readEnvelope))) {
			const records = rowsIn(envelope);
			last = Math.max(last, lastPage(envelope, page));
			wantsMore = visit(records);
			page++;
		}
	}
	return page <= last ? page : undefined;
}

/** How a picker shows the records of a list. */
interface Picker {
	readEnvelope: ReadEnvelope;
	/** Undefined for a record that cannot be picked. */
	toEntry: (record: IDataObject) => Entry | undefined;
	/** The sentence of an empty list. */
	none: string;
	/** The most pages of one search. */
	maxPages?: number;
}

/**
 * Lists records, and searches them. n8n requests the next page when the user scrolls, but not while the
 * list is too short to scroll and has a filter (n8n.md#pages-of-a-picker). The service cannot search, so a search
 * reads on until it has a page of results.
 *
 * @param filter part of a name, or an ID
 * @param paginationToken number of the page to begin with
 * @throws what `readEnvelope` throws
 */
export async function searchPagedList(
	{ readEnvelope, toEntry, none, maxPages = MAX_PAGES }: Picker,
	filter = '',
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const wanted = filter.trim() === '' ? 1 : MAX_PER_PAGE;
	const results: Entry[] = [];
	const addMatches = (records: IDataObject[]) => {
		const entries = records.map(toEntry).filter((entry) => entry !== undefined);
		results.push(...entries.filter(matchesFilter(filter)));
		return results.length < wanted;
	};
	const next = await visitPages(readEnvelope, Number(paginationToken), addMatches, maxPages);
	const isFirst = results.length === 0 && paginationToken === '1';
	if (next !== undefined) {
		return isFirst
			? { results: [toMessageEntry(notAmongFirst(maxPages * MAX_PER_PAGE))] }
			: { results, paginationToken: String(next) };
	}
	return { results: isFirst && filter.trim() === '' ? [toMessageEntry(none)] : results };
}
