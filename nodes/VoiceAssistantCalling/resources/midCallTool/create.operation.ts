import type { Field } from '../../fields/routing';
import { toolFields, toolLists, toolTimeout } from './fields';

export const fields: Field[] = [
	...Object.values(toolFields).map((field) => ({ ...field, required: true })),
	...toolLists,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [toolTimeout],
	},
];
