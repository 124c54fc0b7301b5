import type { INodeProperties } from 'n8n-workflow';

import { sendNumber, sendText } from '../common/send';
import { variables, variablesJson } from '../common/variables';
import { customerName, email } from './person';

export const fields: INodeProperties[] = [
	{
		displayName: 'Lead ID',
		name: 'leadId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 42',
		description: "Number of the lead, as 'Lead > Create' gives it",
	},
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Only what you add here changes. Variables are added to the ones the lead has.',
		options: [
			{
				displayName: 'Campaign ID',
				name: 'campaignId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 7',
				description: 'The campaign to move the lead to',
				routing: sendNumber('campaign_id'),
			},
			customerName,
			email,
			{
				displayName: 'Phone Number',
				name: 'phoneNumber',
				type: 'string',
				default: '',
				placeholder: 'e.g. +4915112345678',
				description: 'International format, with the country code',
				routing: sendText('phone_number'),
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				default: 'created',
				description: 'Set to Created, the lead is called anew if its campaign is running',
				options: [
					{ name: 'Completed', value: 'completed' },
					{ name: 'Created', value: 'created' },
					{ name: 'Reached Max Retries', value: 'reached-max-retries' },
				],
				routing: sendText('status'),
			},
			variables,
			variablesJson,
		],
	},
];
