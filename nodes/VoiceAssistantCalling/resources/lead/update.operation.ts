import { bodyOf, type Field } from '../../fields/routing';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { campaignLocator } from '../common/campaignLocator';
import { phoneNumber } from '../common/phoneNumber';
import { variables } from '../common/variables';
import type { HandleResponse } from '../resource';
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
		description: 'Only what you add here and under Variables changes',
		options: [
			{
				...campaignLocator('If the campaign is running, it calls the lead, which costs money'),
				description: 'The campaign to move the lead to',
				routing: { send: { type: 'body', property: 'campaign_id' } },
			},
			customerName,
			email,
			{ ...phoneNumber, routing: sendPhoneNumber('body', 'phone_number') },
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
		],
	},
	...variables(
		'They are added to the variables that the lead has. One of the same name is replaced.',
	),
];

/** The service answers only with a message, so the output shows which phone number was sent. */
export const handleResponse: HandleResponse = async (response, request) => {
	const { phone_number } = bodyOf(request);
	const body = await response;
	return phone_number === undefined
		? body
		: { ...body, data: { message: body.message, phone_number } };
};
