import type { IDataObject } from 'n8n-workflow';

import { toNumber } from '../values/conversions';
import { asList, isRecord } from '../values/json';

/** The numbers of an envelope (contract: Paginated list envelope). */
const NUMBERS = ['current_page', 'from', 'last_page', 'per_page', 'to', 'total'];

const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0;

/** The list of a page. Null and nothing are none, unless the service says that there are no records. */
function listIn({ data, total }: IDataObject): unknown[] | undefined {
	const isNone = isEmpty(data) || ((data ?? null) === null && total === 0);
	return isNone ? [] : asList(data);
}

/**
 * Gives a page of a list the envelope of the contract, in which all fields are beside `data`. Some services
 * have them in `meta`, and the links in `links` (assumed: page-envelope), some have all of it in `data`, and
 * some write numbers as text.
 *
 * @param body of a response. One without a list stays as it is
 */
export function toEnvelope(body: IDataObject): IDataObject {
	const inner = isRecord(body.data) && 'data' in body.data ? body.data : {};
	const page: IDataObject = { ...body, ...inner };
	const { meta, links } = page;
	const next = isRecord(links) ? { next_page_url: links.next } : {};
	const envelope: IDataObject = { ...next, ...(isRecord(meta) && meta), ...page };
	for (const name of NUMBERS) {
		if (name in envelope) envelope[name] = toNumber(envelope[name]);
	}
	const data = listIn(envelope);
	return data ? { ...envelope, data } : body;
}
