import type { INodeProperties } from 'n8n-workflow';

import { toolLocator } from '../../../shared/locators';
import { sendEmpty } from '../common/send';
import { basics, extras } from './definition';

const removeFields: INodeProperties = {
	displayName: 'Remove',
	name: 'removeFields',
	type: 'collection',
	placeholder: 'Add What to Remove',
	default: {},
	description: 'A field that is left empty stays as it is. What is to be emptied is added here.',
	options: [
		{
			displayName: 'Headers',
			name: 'headers',
			type: 'boolean',
			default: true,
			description: 'Whether to remove all headers of the tool',
			routing: sendEmpty('headers', '[]'),
		},
		{
			displayName: 'Parameters',
			name: 'parameters',
			type: 'boolean',
			default: true,
			description: 'Whether to remove all parameters of the tool',
			routing: sendEmpty('schema', '[]'),
		},
	],
};

export const fields: INodeProperties[] = [
	{ ...toolLocator, required: true },
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Only what you add here changes',
		options: [
			basics.description,
			basics.endpoint,
			extras.headers,
			basics.method,
			basics.name,
			extras.parameters,
			extras.timeout,
		],
	},
	removeFields,
];
