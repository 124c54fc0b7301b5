import type { IDataObject } from 'n8n-workflow';

import { MAX_PER_PAGE, pages } from '../../shared/pages';
import { ServiceProblem } from '../../shared/serviceProblem';

/** n8n fails when one input item gives about 150,000 items (n8n 2.0, 2.41). */
const MAX_ROWS = 100_000;

/**
 * Reads the rows of a list up to a limit, each record once even when pages shift while it is read.
 *
 * @param readPage gets the envelope of a page, counted from 1, with so many rows to a page
 * @param limit how many rows at the most; Infinity for all
 * @throws {ServiceProblem} when there are more than 100,000, or the list cannot be read
 */
export async function readRows(
	readPage: (page: number, perPage: number) => Promise<IDataObject>,
	limit: number,
): Promise<IDataObject[]> {
	const perPage = Math.min(MAX_PER_PAGE, limit);
	const rows: IDataObject[] = [];
	const seen = new Set<unknown>();
	let read = 0;
	for await (const page of pages((number) => readPage(number, perPage))) {
		for (const row of page) {
			if (row.id !== undefined && seen.has(row.id)) continue;
			seen.add(row.id);
			rows.push(row);
			if (rows.length === limit) return rows;
		}
		// Counted with repetitions, so that pages that come round again have an end.
		read += page.length;
		if (read > MAX_ROWS) {
			throw new ServiceProblem({
				message: `There are more than ${MAX_ROWS.toLocaleString('en')} records, too many for one item of n8n`,
				description: 'Narrow the list with filters, such as a range of dates, or set a limit.',
			});
		}
	}
	return rows;
}
