import type { Field } from '../../fields/routing';
import { campaignLocator } from '../common/campaignLocator';
import { variables, variablesJson } from '../common/variables';
import { customerName, email } from './fields';

export const fields: Field[] = [
	{
		displayName: 'Lead ID',
		name: 'leadId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 42',
		description: "ID of the lead, as 'Lead > Create' returns it",
	},
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description:
			'Only what you add here changes. Variables are added to the variables that the lead has.',
		options: [
			{
				...campaignLocator('If the campaign is running, it calls the lead, which costs money'),
				description: 'The campaign to move the lead to',
				routing: { send: { type: 'body', property: 'campaign_id' } },
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
				routing: { send: { type: 'body', property: 'phone_number' } },
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				default: 'created',
				description: "With 'Created', the lead is called again if its campaign is running",
				hint: "'Created' can start another call, which costs money",
				options: [
					{ name: 'Completed', value: 'completed' },
					{ name: 'Created', value: 'created' },
					{ name: 'Reached Max Retries', value: 'reached-max-retries' },
				],
				routing: { send: { type: 'body', property: 'status' } },
			},
			variables,
			variablesJson,
		],
	},
];
