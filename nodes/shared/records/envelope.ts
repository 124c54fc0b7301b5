import type { IDataObject } from 'n8n-workflow';

import { toNumber } from '../client/conversions';
import { isRecord } from '../client/json';

/** The numbers of an envelope (contract: Paginated list envelope). */
const NUMBERS = ['current_page', 'from', 'last_page', 'per_page', 'to', 'total'];

/**
 * Gives a page of a list the envelope of the contract, in which all fields are beside `data`. Some services
 * have them in `meta`, and the links in `links` (assumed: page-envelope), and some write numbers as text.
 *
 * @param body of a response. One without a list stays as it is
 */
export function toEnvelope(body: IDataObject): IDataObject {
	const { data, meta, links } = body;
	if (!Array.isArray(data)) return body;
	const next = isRecord(links) ? { next_page_url: links.next } : {};
	const envelope: IDataObject = { ...next, ...(isRecord(meta) && meta), ...body };
	for (const name of NUMBERS) {
		if (name in envelope) envelope[name] = toNumber(envelope[name]);
	}
	return envelope;
}
