import type { Field } from '../../fields/routing';
import { campaignLocator } from '../common/campaignLocator';

/** @param cost under the field, where the operation costs money */
export const campaignField = (cost?: string): Field => ({
	...campaignLocator(cost),
	required: true,
	routing: { send: { type: 'body', property: 'campaign_id' } },
});
