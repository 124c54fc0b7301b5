import { toolLocator } from '../../../shared/assistants/locators';
import type { Field } from '../../fields/routing';
import { removing } from '../common/removing';
import { replacingNotice } from '../common/replacingNotice';
import { toolFields, toolLists, toolTimeout } from './fields';

const removeFields: Field = {
	displayName: 'Remove',
	name: 'removeFields',
	type: 'collection',
	placeholder: 'Add What to Remove',
	default: {},
	description: 'A field that you leave empty stays as it is. To empty a field, add it here.',
	options: [
		{
			displayName: 'Headers',
			name: 'headers',
			type: 'boolean',
			default: true,
			description: 'Whether to remove all headers of the tool',
			routing: removing('headers'),
		},
		{
			displayName: 'Parameters',
			name: 'parameters',
			type: 'boolean',
			default: true,
			description: 'Whether to remove all parameters of the tool',
			routing: removing('schema'),
		},
	],
};

export const fields: Field[] = [
	{ ...toolLocator, required: true },
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Only what you add here and below changes',
		options: [
			toolFields.description,
			toolFields.endpoint,
			toolFields.method,
			toolFields.name,
			toolTimeout,
		],
	},
	replacingNotice('Parameters or Headers', 'tool'),
	...toolLists,
	removeFields,
];
