import type { IDataObject } from 'n8n-workflow';

import { normaliseCall } from '../shared/calls/normaliseCall';
import { isOver } from '../shared/calls/outcome';
import { asText } from '../shared/values/json';
import type { CallQuery } from './selection';

const MAX_STATUS_LENGTH = 100;

/** A call of the list, with what the cursor compares. */
export interface ListedCall {
	id: string;
	/** By the service's clock, in milliseconds since 1970. */
	createdAt: number;
	/** Whether it is over; undefined when nothing tells it. */
	isOver: boolean | undefined;
	/** As the service writes it. */
	status: string;
	/** The call in the shape that the webhook trigger gives. */
	json: IDataObject;
}

/**
 * Converts a record of the list of calls. The call has the assistant and the campaign that the list was asked
 * for: the service filters, and a record names neither by ID (contract: Call record).
 *
 * @param query that found it
 * @returns undefined when the record has no id or no time of creation, because the cursor compares them
 */
export function toListedCall(
	record: IDataObject,
	{ assistantId, campaignId }: CallQuery,
): ListedCall | undefined {
	const json = normaliseCall(record, 'callCompleted', assistantId);
	if (campaignId !== undefined) json.campaign_id = campaignId;
	const id = asText(json.id);
	const createdAt = Date.parse(asText(json.created_at));
	if (id === '' || Number.isNaN(createdAt)) return undefined;
	// The cursor keeps it, so it must not be long.
	const status = asText(json.status).slice(0, MAX_STATUS_LENGTH);
	return { id, createdAt, isOver: isOver(json), status, json };
}
