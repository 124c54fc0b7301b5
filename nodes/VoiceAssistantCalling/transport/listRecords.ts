import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../shared/client/errors';
import { MAX_PER_PAGE, pages } from '../../shared/client/pages';

/** n8n fails when one input item gives about 150,000 items (n8n 2.0, 2.41). */
const MAX_RECORDS = 100_000;

/**
 * Reads the records of a list up to a limit, each once even when pages shift while it is read.
 *
 * @param readPage gets the envelope of a page, counted from 1, with so many records to a page
 * @param limit how many records at the most; Infinity for all
 * @param atOnce how many pages may be asked for at once
 * @throws {ServiceError} when there are more than 100,000, or the list cannot be read
 */
export async function listRecords(
	readPage: (page: number, perPage: number) => Promise<IDataObject>,
	limit: number,
	atOnce: number,
): Promise<IDataObject[]> {
	const perPage = Math.min(MAX_PER_PAGE, limit);
	const records: IDataObject[] = [];
	const seen = new Set<unknown>();
	let read = 0;
	const needed = () => Math.min(atOnce, Math.ceil((limit - records.length) / perPage));
	for await (const page of pages((number) => readPage(number, perPage), needed)) {
		for (const record of page) {
			if (record.id !== undefined && seen.has(record.id)) continue;
			seen.add(record.id);
			records.push(record);
			if (records.length === limit) return records;
		}
		// Counted with repetitions, so that pages that come round again have an end.
		read += page.length;
		if (read > MAX_RECORDS) {
			throw new ServiceError({
				message: `The list has more than ${MAX_RECORDS.toLocaleString('en')} records, too many for one input item`,
				nextStep: 'Narrow the list with filters, such as a range of dates, or set a limit.',
			});
		}
	}
	return records;
}
