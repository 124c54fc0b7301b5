import type { Field } from '../../fields/routing';
import { mergeVariables } from './mergeVariables';

/** Variables, entered one by one. */
export const variables: Field = {
	displayName: 'Variables',
	name: 'variables',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
	placeholder: 'Add Variable',
	default: {},
	description: 'Custom values that the assistant can use in the conversation',
	routing: { send: { type: 'body', property: 'variables', preSend: [mergeVariables] } },
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

/** Variables as an object, for values that are not text. */
export const variablesJson: Field = {
	displayName: 'Variables (JSON)',
	name: 'variablesJson',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. {"city": "Berlin", "visits": 3}',
	description: 'Custom values as a JSON object, added to the values under Variables',
	routing: { send: { type: 'body', property: 'variables.json', preSend: [mergeVariables] } },
};
