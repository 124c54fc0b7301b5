import type { INodeProperties } from 'n8n-workflow';

import { sendNumber } from '../common/send';

/** The service cannot list campaigns (contract: operations "not shown"), so there is no picker. */
export const campaignId: INodeProperties = {
	displayName: 'Campaign ID',
	name: 'campaignId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 7',
	description: 'Your provider shows it; the service cannot list campaigns',
	routing: sendNumber('campaign_id'),
};
