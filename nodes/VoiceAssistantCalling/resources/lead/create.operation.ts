import type { Field } from '../../fields/routing';
import { campaignLocator } from '../common/campaignLocator';
import { variables, variablesJson } from '../common/variables';
import { customerName, email } from './fields';
import { toSecondaryContacts } from './toSecondaryContacts';

const secondaryContacts: Field = {
	displayName: 'Secondary Contacts',
	name: 'secondaryContacts',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Contact' },
	placeholder: 'Add Contact',
	default: {},
	description: 'Other people to call for the same lead. Each becomes a separate lead.',
	routing: {
		send: { type: 'body', property: 'secondary_contacts', preSend: [toSecondaryContacts] },
	},
	options: [
		{
			displayName: 'Contact',
			name: 'contact',
			values: [
				{
					displayName: 'Phone Number',
					name: 'phoneNumber',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. +4915112345678',
				},
				{
					displayName: 'Customer Name',
					name: 'customerName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Nathan Smith',
				},
				{
					displayName: 'Email',
					name: 'email',
					type: 'string',
					default: '',
					placeholder: 'e.g. nathan@example.com',
				},
				{
					displayName: 'Variables (JSON)',
					name: 'variables',
					type: 'json',
					default: '{}',
					description: 'Custom values of this contact as a JSON object',
				},
			],
		},
	],
};

export const fields: Field[] = [
	{
		...campaignLocator('If the campaign is running, it calls the lead, which costs money'),
		required: true,
		description: 'Campaign that calls the lead',
		routing: { send: { type: 'body', property: 'campaign_id' } },
	},
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +4915112345678',
		description: 'International format, with the country code',
		routing: { send: { type: 'body', property: 'phone_number' } },
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Allow Duplicate',
				name: 'allowDuplicate',
				type: 'boolean',
				default: true,
				description: 'Whether the campaign may hold several leads with this phone number',
				// The service uses this spelling.
				routing: { send: { type: 'body', property: 'allow_dupplicate' } },
			},
			customerName,
			email,
			secondaryContacts,
			variables,
			variablesJson,
		],
	},
];
