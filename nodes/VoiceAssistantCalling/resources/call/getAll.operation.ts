import { assistantLocator } from '../../../shared/assistants/assistantLocators';
import { callStatuses, callTypes } from '../../../shared/calls/callTypes';
import { recordShapes } from '../../../shared/records/recordShapes';
import type { Field } from '../../fields/routing';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { campaignLocator } from '../common/campaignLocator';
import { outputFields } from '../common/output';
import { phoneNumberField } from '../common/phoneNumberField';
import { returnAllOrLimit } from '../common/returnAllOrLimit';
import type { Operation } from '../operation';
import { addFilters } from './addFilters';
import { callOutput } from './callOutput';
import { fromDate, toDate } from './fields';

const filters: Field[] = [
	{
		...assistantLocator,
		description: 'Only calls of this assistant',
		routing: { send: { type: 'query', property: 'assistant_id' } },
	},
	{
		...campaignLocator(),
		description: 'Only calls of this campaign',
		routing: { send: { type: 'query', property: 'campaign_id' } },
	},
	fromDate,
	{
		...phoneNumberField,
		description: `Number of the person who called or was called. ${phoneNumberField.description}`,
		routing: sendPhoneNumber('query', 'phone_number'),
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		default: 'completed',
		description: 'Only calls with this status',
		options: callStatuses,
		routing: { send: { type: 'query', property: 'status' } },
	},
	toDate,
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		default: 'outbound',
		description: 'Only calls of this kind',
		options: callTypes,
		routing: { send: { type: 'query', property: 'type' } },
	},
];

export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many calls',
	description: 'Retrieve a list of calls with their outcomes, transcripts and variables',
	request: { method: 'GET', url: '/user/calls' },
	record: recordShapes.call,
	fields: [
		...returnAllOrLimit,
		...outputFields,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description: 'Only calls that match all filters',
			options: filters,
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			description: 'Filters in another form',
			options: [
				{
					displayName: 'Filters (JSON)',
					name: 'filtersJson',
					type: 'json',
					default: '{}',
					placeholder: 'e.g. {"status": "completed", "date_from": "2026-01-31"}',
					description:
						"Filters that an expression computes, as a JSON object with the names that the service uses. They are added to 'Filters'.",
					routing: { send: { type: 'query', property: 'json', preSend: [addFilters(filters)] } },
				},
			],
		},
	],
	output: callOutput,
};
