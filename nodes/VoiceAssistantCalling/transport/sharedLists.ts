import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../../shared/client/pages';
import { RecordList } from '../../shared/client/recordList';
import type { Account } from './accounts';

/** How many lists a run keeps. Items with other dates read another list. */
const MAX_LISTS = 10;

/** How an item reads its list. */
interface ListRequest {
	account: Account;
	request: IHttpRequestOptions;
	/** Sends the request of a page and returns the body of the response. */
	sendPage: (request: IHttpRequestOptions) => Promise<IDataObject>;
}

/**
 * The lists of a run. Items of the same account whose requests are equal share one list, so that each page
 * is requested once. The lists that were used last are kept.
 */
export class SharedLists {
	private readonly concurrency: number;

	private readonly lists = new Map<string, RecordList>();

	/** @param concurrency the most pages of a list that are requested at the same time */
	constructor(concurrency: number) {
		this.concurrency = concurrency;
	}

	/** The list of an item. */
	get({ account, request, sendPage }: ListRequest, maxPages?: number): RecordList {
		const { lists } = this;
		const key = JSON.stringify([account.key, request.url, request.qs]);
		const readEnvelope = async (page: number) => {
			const qs = { ...request.qs, page, per_page: MAX_PER_PAGE };
			return await sendPage({ ...request, qs });
		};
		const list = lists.get(key) ?? new RecordList(readEnvelope, this.concurrency, maxPages);
		// A Map has the order in which keys were added, so the first key is the one used longest ago.
		lists.delete(key);
		lists.set(key, list);
		const [oldest] = lists.keys();
		if (lists.size > MAX_LISTS && oldest !== undefined) lists.delete(oldest);
		return list;
	}
}
