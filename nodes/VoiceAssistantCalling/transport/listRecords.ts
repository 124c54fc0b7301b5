import type { IDataObject } from 'n8n-workflow';

import { FIRST_PAGE, MAX_PER_PAGE, paginate } from '../../shared/client/pages';
import { asText } from '../../shared/values/json';

/**
 * Reads the records of a list up to a limit. Each record comes once, even when pages shift meanwhile.
 *
 * @param readEnvelope gets the envelope of a page; pages count from 1
 * @param limit the most records; Infinity for all
 * @param concurrency the most pages that are requested at the same time
 * @param toOutput makes the output from a record. It runs page by page, so that n8n stays responsive
 * @param isListed whether the user wants a record
 * @param perPage the size of the pages; it becomes the largest one when a record is not listed
 * @throws {ServiceError} when there are more than 100,000, or the list cannot be read
 */
export async function listRecords(
	readEnvelope: (page: number, perPage: number) => Promise<IDataObject>,
	limit: number,
	concurrency: number,
	toOutput = (record: IDataObject) => record,
	isListed: (record: IDataObject) => boolean = () => true,
	perPage = Math.min(MAX_PER_PAGE, limit),
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const seen = new Set<string>();
	const pagesAhead = () => Math.min(concurrency, Math.ceil((limit - records.length) / perPage));
	const readPage = async (page: number) => await readEnvelope(page, perPage);
	for await (const page of paginate(readPage, pagesAhead, FIRST_PAGE, true)) {
		for (const record of page) {
			if (!isListed(record)) {
				// Small pages would take many requests.
				if (perPage < MAX_PER_PAGE) {
					const args = [toOutput, isListed, MAX_PER_PAGE] as const;
					return await listRecords(readEnvelope, limit, concurrency, ...args);
				}
				continue;
			}
			const id = asText(record.id);
			if (id !== '' && seen.has(id)) continue;
			seen.add(id);
			records.push(toOutput(record));
			if (records.length === limit) return records;
		}
	}
	return records;
}
