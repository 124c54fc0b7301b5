import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { MAX_PER_PAGE, MAX_RECORDS } from '../../shared/client/pages';
import { RecordList } from '../../shared/client/recordList';

/** How many lists a run keeps. Items with other dates read another list. */
const MAX_LISTS = 10;

/** Gives the list that a request of an account reads. */
export type ListOf = (request: IHttpRequestOptions, maxPages?: number) => RecordList;

/** Sends one request and returns the body of the response. */
type SendRequest = (request: IHttpRequestOptions) => Promise<IDataObject>;

/**
 * The lists of a run. Items of the same account whose requests are equal share one list, so that each page
 * is requested once. The lists that were used last are kept.
 *
 * @param concurrency the most pages of a list that are requested at the same time
 * @returns a function that takes the key of an account, and how its requests are sent
 */
export function sharedLists(
	concurrency: number,
): (account: string, sendRequest: SendRequest) => ListOf {
	const lists = new Map<string, RecordList>();
	return (account, sendRequest) =>
		(request, maxPages = MAX_RECORDS / MAX_PER_PAGE) => {
			const key = JSON.stringify([account, request.url, request.qs]);
			const readEnvelope = async (page: number) =>
				await sendRequest({ ...request, qs: { ...request.qs, page, per_page: MAX_PER_PAGE } });
			const list = lists.get(key) ?? new RecordList(readEnvelope, maxPages, concurrency);
			// A Map has the order in which keys were added, so the first key is the one used longest ago.
			lists.delete(key);
			lists.set(key, list);
			const [oldest] = lists.keys();
			if (lists.size > MAX_LISTS && oldest !== undefined) lists.delete(oldest);
			return list;
		};
}
