import type { Field } from '../../fields/routing';

/** There is no picker, because the service cannot list campaigns (assumed: other-operations). */
export const campaignId: Field = {
	displayName: 'Campaign ID',
	name: 'campaignId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 7',
	description: 'Your provider shows this ID. The service cannot list campaigns.',
	routing: { send: { type: 'body', property: 'campaign_id' } },
};
