import type { INodeProperties } from 'n8n-workflow';

import { sendJson, sendPairs } from './send';

/** Custom values by name, entered one by one. */
export const variables: INodeProperties = {
	displayName: 'Variables',
	name: 'variables',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
	placeholder: 'Add Variable',
	default: {},
	description: 'Custom values that the assistant can use in the conversation',
	routing: sendPairs('variables', 'variable'),
	options: [
		{
			displayName: 'Variable',
			name: 'variable',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. city',
				},
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
};

/** The same as an object, for values that are not text. */
export const variablesJson: INodeProperties = {
	displayName: 'Variables (JSON)',
	name: 'variablesJson',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. {"city": "Berlin", "visits": 3}',
	description: 'Custom values as a JSON object, added to the ones entered one by one',
	routing: sendJson('variables'),
};
