import type { INodeProperties } from 'n8n-workflow';

import { assistantLocator } from '../../../shared/locators';
import { returnAllOrLimit } from '../common/returnAllOrLimit';
import { queryDay, queryText } from '../common/send';

export const fields: INodeProperties[] = [
	...returnAllOrLimit,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				...assistantLocator,
				description: 'Only calls of this assistant',
				routing: queryText('assistant_id'),
			},
			{
				displayName: 'Campaign ID',
				name: 'campaignId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 7',
				routing: queryText('campaign_id'),
			},
			{
				displayName: 'From Date',
				name: 'dateFrom',
				type: 'dateTime',
				default: '',
				description: 'Only calls from this day on. The time of day does not count.',
				routing: queryDay('date_from'),
			},
			{
				displayName: 'Phone Number',
				name: 'phoneNumber',
				type: 'string',
				default: '',
				placeholder: 'e.g. +4915112345678',
				description: 'Number of the person who called or was called',
				routing: queryText('phone_number'),
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				default: 'completed',
				options: [
					{ name: 'Busy', value: 'busy' },
					{ name: 'Completed', value: 'completed' },
					{ name: 'Ended', value: 'ended' },
					{ name: 'Ended by Assistant', value: 'ended_by_assistant' },
					{ name: 'Ended by Customer', value: 'ended_by_customer' },
					{ name: 'Failed', value: 'failed' },
					{ name: 'In Progress', value: 'in-progress' },
					{ name: 'Initiated', value: 'initiated' },
					{ name: 'No Answer', value: 'no-answer' },
					{ name: 'Ringing', value: 'ringing' },
				],
				routing: queryText('status'),
			},
			{
				displayName: 'To Date',
				name: 'dateTo',
				type: 'dateTime',
				default: '',
				description: 'Only calls until this day. The time of day does not count.',
				routing: queryDay('date_to'),
			},
			{
				displayName: 'Type',
				name: 'type',
				type: 'options',
				default: 'outbound',
				options: [
					{ name: 'Inbound', value: 'inbound' },
					{ name: 'Outbound', value: 'outbound' },
					{ name: 'Web', value: 'web' },
				],
				routing: queryText('type'),
			},
		],
	},
];
