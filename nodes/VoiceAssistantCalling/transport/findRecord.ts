import type { IDataObject } from 'n8n-workflow';

import { isDeleted } from '../../shared/assistants/find';
import { ServiceError } from '../../shared/client/errors';
import { asText } from '../../shared/client/json';
import { MAX_PER_PAGE, pages } from '../../shared/client/pages';

/**
 * Reads a list, page by page, until the record with an ID comes. The service cannot give one assistant
 * (contract: Endpoints).
 *
 * @param readEnvelope gets the envelope of a page; pages count from 1
 * @param notFound the message when the list does not have the record
 * @throws {ServiceError} when there is no such record, or the list cannot be read
 */
export async function findRecord(
	readEnvelope: (page: number, perPage: number) => Promise<IDataObject>,
	id: string,
	notFound: string,
): Promise<IDataObject> {
	for await (const rows of pages((page) => readEnvelope(page, MAX_PER_PAGE))) {
		const record = rows.find((row) => asText(row.id) === id && !isDeleted(row));
		if (record) return record;
	}
	throw new ServiceError({
		message: notFound,
		nextStep: 'Check the ID. It does not exist in the account that the API token belongs to.',
		httpCode: '404',
		refused: true,
	});
}
