import type { IDataObject } from 'n8n-workflow';

import { isDeleted } from '../../shared/assistants/find';
import { ServiceError } from '../../shared/client/errors';
import type { RecordList } from '../../shared/client/recordList';
import type { OneOfList } from '../resources/resource';

/**
 * Finds a record of a list by its ID.
 *
 * @throws {ServiceError} when there is no such record, or the list cannot be read
 */
export async function findRecord(
	list: RecordList,
	id: string,
	{ notFound, nextStep, bound }: OneOfList,
): Promise<IDataObject> {
	const record = await list.find(id);
	if (record && !isDeleted(record)) return record;
	const isUnread = bound !== undefined && !list.isComplete;
	throw new ServiceError({
		message: notFound,
		nextStep: isUnread ? bound.nextStep : nextStep,
		httpCode: '404',
		refused: true,
	});
}
