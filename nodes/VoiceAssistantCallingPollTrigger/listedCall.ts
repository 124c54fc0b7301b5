import type { IDataObject } from 'n8n-workflow';

import { normaliseCall } from '../shared/calls/normaliseCall';
import { isFinalStatus } from '../shared/calls/statuses';
import { asText } from '../shared/client/json';
import type { CallQuery } from './selection';

/** A call of the list, with what the cursor compares. */
export interface ListedCall {
	id: string;
	/** By the service's clock, in milliseconds since 1970. */
	createdAt: number;
	/** Whether its status is final. */
	isFinal: boolean;
	/** The call in the shape that the webhook trigger gives. */
	json: IDataObject;
}

/**
 * Converts a record of the list of calls.
 *
 * @param query that found it. A record names neither its assistant nor its campaign by ID
 * @returns undefined when the record has no id or no time of creation, because the cursor compares them
 */
export function toListedCall(
	record: IDataObject,
	{ assistantId, campaignId }: CallQuery,
): ListedCall | undefined {
	const campaign = campaignId === undefined ? {} : { campaign_id: campaignId };
	const json = normaliseCall({ ...campaign, ...record }, 'callCompleted', assistantId);
	const id = asText(json.id);
	const createdAt = Date.parse(asText(json.created_at));
	if (id === '' || Number.isNaN(createdAt)) return undefined;
	return { id, createdAt, isFinal: isFinalStatus(json.status), json };
}
