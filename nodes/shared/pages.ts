import type { IDataObject } from 'n8n-workflow';

import { asText, recordsIn } from './json';
import { ServiceProblem } from './serviceProblem';

/** The most rows that the service gives in one page (contract: Limits). */
export const MAX_PER_PAGE = 100;

const unexpected = (what: string) =>
	new ServiceProblem({
		message: `The list cannot be read: ${what}`,
		description: 'Run the step again later; if it stays so, ask your provider.',
	});

const idsOf = (rows: IDataObject[]) => rows.map(({ id }) => asText(id)).join();

/**
 * Reads a list page by page, by page number: an address in an answer (`next_page_url`) is never
 * followed, it would receive the token.
 *
 * @param readPage gets the envelope of a page, counted from 1 (contract: Paginated list envelope)
 * @returns the rows of one page after another; stop iterating and no further page is asked for
 * @throws {ServiceProblem} when an answer is no list, or a page comes a second time
 */
export async function* pages(
	readPage: (page: number) => Promise<IDataObject>,
): AsyncGenerator<IDataObject[]> {
	let previous = '';
	for (let page = 1; ; page++) {
		const { data, current_page: current, last_page: last } = await readPage(page);
		if (!Array.isArray(data)) throw unexpected('the answer holds no records');
		const rows = recordsIn(data);
		const isRepeated = rows.length > 0 && idsOf(rows) === previous;
		if (isRepeated || (current !== undefined && Number(current) !== page)) {
			throw unexpected(`the service sent another page when asked for page ${page}`);
		}
		yield rows;
		if (rows.length === 0 || !(Number(last) > page)) return;
		previous = idsOf(rows);
	}
}
