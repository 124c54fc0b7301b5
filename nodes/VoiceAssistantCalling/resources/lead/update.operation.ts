import { required } from '../../../shared/pickers/locator';
import { isRecord } from '../../../shared/values/json';
import { getBody } from '../../fields/routing';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { campaignLocator } from '../common/campaignLocator';
import { phoneNumberField } from '../common/phoneNumberField';
import { variables } from '../common/variables';
import type { HandleResponse, Operation } from '../operation';
import { costOfCalls } from './costOfCalls';
import { customerName, email, leadId } from './fields';

/** The service answers only with a message, so the output shows which phone number was sent. */
const addPhoneNumber: HandleResponse = async (response, request) => {
	const { phone_number } = getBody(request);
	const { data, ...others } = await response;
	if (phone_number === undefined) return { ...others, data };
	const record = isRecord(data) ? data : data === undefined ? {} : { data };
	return { data: { ...others, ...record, phone_number } };
};

export const update: Operation = {
	name: 'Update',
	action: 'Update lead',
	description:
		'Change a lead. If you move it to a running campaign, or set its status to Created, it is called again, which costs money.',
	request: { method: 'PUT', url: '=/user/leads/{{$parameter.leadId}}' },
	fields: [
		required(leadId),
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description:
				'Only what you add here and under Variables changes. The service refuses all other fields.',
			options: [
				{
					...campaignLocator('If the campaign is running, it calls the lead, which costs money'),
					description:
						'The campaign to move the lead to. If it is running, it calls the lead, which costs money.',
					routing: { send: { type: 'body', property: 'campaign_id' } },
				},
				customerName,
				email,
				{ ...phoneNumberField, routing: sendPhoneNumber('body', 'phone_number') },
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
	],
	reachesPeople: true,
	/** The service calls a lead that moves to a running campaign or becomes created (contract: Lead). */
	getCost: ({ campaign_id, status }) =>
		costOfCalls(campaign_id !== undefined || status === 'created' ? 1 : 0),
	handleResponse: addPhoneNumber,
	output: { fields: ['message', 'phone_number'], added: { phone_number: { type: 'string' } } },
};
