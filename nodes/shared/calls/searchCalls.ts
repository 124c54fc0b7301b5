import {
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';

import { DescribedError } from '../client/errors';
import { asText, recordsIn } from '../client/json';
import { lastPage, MAX_PER_PAGE } from '../client/pages';
import { serviceRequest } from '../client/request';

/** How many pages are read while no call matches. The list of calls grows without end. */
const MAX_PAGES = 20;

const toItem = (call: IDataObject): INodeListSearchItems => {
	const [day = '', time = ''] = asText(call.created_at).split(/[ T]/);
	const parts = [
		`${day} ${time.slice(0, 5)}`,
		asText(call.client_phone_number),
		asText(call.status),
		call.duration ? `${asText(call.duration)} s` : '',
	];
	return {
		name: parts.filter((part) => part.trim() !== '').join(' · '),
		value: asText(call.id),
	};
};

/** Spaces and signs in a phone number do not matter. */
const compact = (text: string) => text.toLowerCase().replace(/[\s()./-]/g, '');

const matches = (filter: string) => {
	const wanted = compact(filter);
	return ({ name, value }: INodeListSearchItems) =>
		compact(name).includes(wanted) || value === wanted;
};

/** Reads one page of calls. The message of a failure offers to enter the ID instead. */
async function readCallPage(this: ILoadOptionsFunctions, page: number) {
	const qs = { page, per_page: MAX_PER_PAGE };
	const request = { method: 'GET', path: '/user/calls', qs } as const;
	const envelope = await serviceRequest.call(this, request).catch((error: unknown) => {
		if (!(error instanceof DescribedError)) throw error;
		const text = `${error.text} You can also choose 'By ID'.`;
		throw new NodeOperationError(this.getNode(), text);
	});
	const calls = recordsIn(envelope.data);
	return { calls, isLast: lastPage(envelope, page, calls.length) <= page };
}

/**
 * Lists calls for the picker, page by page. n8n requests the next page when the user scrolls. The
 * service finds only whole phone numbers, so the filter works on one page. A page without a match is
 * skipped, because n8n would show an empty list.
 *
 * @param filter part of a phone number, of the time or of the status, or an id
 * @param paginationToken number of the page; pages count from 1
 * @throws {NodeOperationError} when the list cannot be read
 */
export async function searchCalls(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const first = Number(paginationToken);
	for (let page = first; page < first + MAX_PAGES; page++) {
		const { calls, isLast } = await readCallPage.call(this, page);
		const results = calls.map(toItem).filter(matches(filter));
		if (isLast) return { results };
		if (results.length > 0) return { results, paginationToken: String(page + 1) };
	}
	return { results: [] };
}
