import { EMAIL } from '../../../shared/fields/textRule';
import type { Field } from '../../fields/routing';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { campaignLocator } from '../common/campaignLocator';
import { phoneNumber } from '../common/phoneNumber';
import { variables } from '../common/variables';
import { customerName, email } from './fields';
import { onDuplicate } from './onDuplicate';
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
				{ ...phoneNumber, required: true },
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
					rule: EMAIL,
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
	{ ...phoneNumber, required: true, routing: sendPhoneNumber('body', 'phone_number') },
	customerName,
	email,
	...variables('Custom values that the assistant can use in the conversation'),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [onDuplicate, secondaryContacts],
	},
];

export { handleResponse, toOutput } from './onDuplicate';
