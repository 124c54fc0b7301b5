import { parseCreated } from '../../../shared/client/response';
import { required } from '../../../shared/pickers/locator';
import { recordShapes } from '../../../shared/records/recordShapes';
import { recordsIn } from '../../../shared/values/json';
import type { Field } from '../../fields/routing';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { additionalFieldsJson } from '../common/additionalFieldsJson';
import { campaignLocator } from '../common/campaignLocator';
import { phoneNumberField } from '../common/phoneNumberField';
import { variables } from '../common/variables';
import type { Operation } from '../operation';
import { costOfCalls } from './costOfCalls';
import { customerName, email } from './fields';
import { onDuplicate, skipDuplicate } from './onDuplicate';
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
				{ ...phoneNumberField, required: true },
				// `toSecondaryContacts` sends them.
				{ ...customerName, routing: undefined },
				{ ...email, routing: undefined },
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

export const create: Operation = {
	name: 'Create',
	action: 'Create lead',
	description:
		'Add a person whom a campaign should call, with variables for the conversation. If the campaign is running, the call costs money.',
	request: { method: 'POST', url: '/user/lead' },
	record: recordShapes.lead,
	fields: [
		{
			...required(
				campaignLocator('If the campaign is running, it calls the lead, which costs money'),
				'Campaign that calls the lead. If it is running, the call costs money.',
			),
			routing: { send: { type: 'body', property: 'campaign_id' } },
		},
		{ ...phoneNumberField, required: true, routing: sendPhoneNumber('body', 'phone_number') },
		customerName,
		email,
		...variables('Custom values that the assistant can use in the conversation'),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Fields that are rarely needed',
			options: [
				additionalFieldsJson(
					() => create.fields,
					new Map([['allow_dupplicate', onDuplicate.displayName]]),
				),
				onDuplicate,
				secondaryContacts,
			],
		},
	],
	reachesPeople: true,
	getCost: ({ secondary_contacts: contacts }) => costOfCalls(1 + recordsIn(contacts).length),
	parseResponse: parseCreated,
	handleResponse: skipDuplicate,
	// The result tells a created lead from a duplicate.
	output: {
		toItem: (lead) => ({ result: 'created', ...lead }),
		added: { result: { type: 'string' } },
	},
};
