import { recordShapes } from '../../../shared/records/recordShapes';
import { campaignLocator } from '../common/campaignLocator';
import { dateRange } from '../common/dateRange';
import { returnAllOrLimit } from '../common/returnAllOrLimit';
import type { Operation } from '../operation';

const { fromDate, toDate } = dateRange('leads that were created');

/** public-service: GET `/user/leads`; S1, S2, S12a, S12b. */
export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many leads',
	description: 'Retrieve a list of leads with their statuses and variables',
	request: { method: 'GET', url: '/user/leads' },
	notInContract: { wayRound: 'Look at the leads in your account at the provider.' },
	record: recordShapes.lead,
	fields: [
		...returnAllOrLimit,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description: 'Only leads that match all filters',
			options: [
				{
					...campaignLocator(),
					description: 'Only leads of this campaign',
					routing: { send: { type: 'query', property: 'campaign_id' } },
				},
				fromDate,
				{
					displayName: 'Phone Number',
					name: 'phoneNumber',
					type: 'string',
					default: '',
					placeholder: 'e.g. 15112345',
					description: 'Only leads whose phone number has these digits. A part of it is enough.',
					routing: { send: { type: 'query', property: 'phone_number' } },
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					default: 'created',
					description: 'Only leads with this status',
					options: [
						{ name: 'Blacklisted', value: 'blacklisted' },
						{ name: 'Completed', value: 'completed' },
						{ name: 'Created', value: 'created' },
						{ name: 'Processing', value: 'processing' },
						{ name: 'Reached Max Retries', value: 'reached-max-retries' },
						{ name: 'Rescheduled', value: 'rescheduled' },
						{ name: 'Scheduled', value: 'scheduled' },
					],
					routing: { send: { type: 'query', property: 'status' } },
				},
				toDate,
			],
		},
	],
};
