import type { IDataObject } from 'n8n-workflow';

import { isFinalStatus } from '../shared/calls/statuses';
import { asText } from '../shared/client/json';
import { ServiceError } from '../shared/client/errors';

/** A call of the list, with what the cursor compares. */
export interface ListedCall {
	id: string;
	/** By the service's clock, in milliseconds since 1970. */
	createdAt: number;
	/** Whether the call is over. */
	isFinal: boolean;
	/** As the service sent it. */
	record: IDataObject;
}

const HAS_ZONE = /(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Times in call records have no zone (contract: Resources). Which one is meant does not matter, because
 * they are only compared with each other.
 */
function toTime(value: unknown): number {
	const text = asText(value).replace(' ', 'T');
	return Date.parse(HAS_ZONE.test(text) ? text : `${text}Z`);
}

/**
 * Reads what the cursor needs from a call record.
 *
 * @throws {ServiceError} when the record has no id or no time of creation: its place among the other
 * calls is unknown then
 */
export function toListedCall(record: IDataObject): ListedCall {
	const id = asText(record.id);
	const createdAt = toTime(record.created_at);
	if (id === '' || Number.isNaN(createdAt)) {
		throw new ServiceError({
			message: `The list of calls cannot be read: a call has no ${id === '' ? 'id' : `created_at (ID ${id})`}`,
			nextStep: 'Ask your provider.',
		});
	}
	return { id, createdAt, isFinal: isFinalStatus(record.status), record };
}
