import type { Field } from '../../fields/routing';
import { campaignLocator } from '../common/campaignLocator';
import { required } from '../../../shared/pickers/locator';

/** @param cost under the field, where the operation costs money */
export const campaignField = (cost?: string): Field => ({
	...required(campaignLocator(cost)),
	routing: { send: { type: 'body', property: 'campaign_id' } },
});
