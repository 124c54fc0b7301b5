import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { normaliseCall } from '../shared/calls/normaliseCall';
import type { CallQuery } from './selection';

/**
 * Makes the item of a finished call, in the shape that the webhook trigger gives.
 *
 * @param record of the list of calls
 * @param query that found it
 */
export function toItem(
	record: IDataObject,
	{ assistantId, campaignId }: CallQuery,
): INodeExecutionData {
	const campaign = campaignId === undefined ? {} : { campaign_id: campaignId };
	const call = normaliseCall({ ...campaign, ...record }, 'callCompleted', assistantId as number);
	return { json: call };
}
