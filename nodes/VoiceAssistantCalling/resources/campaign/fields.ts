import type { Field } from '../../fields/routing';

/** The service cannot list campaigns (contract: operations "not shown"): there is no picker. */
export const campaignId: Field = {
	displayName: 'Campaign ID',
	name: 'campaignId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 7',
	description: 'Your provider shows it; the service cannot list campaigns',
	routing: { send: { type: 'body', property: 'campaign_id' } },
};
