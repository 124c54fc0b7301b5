import type { Field } from '../../fields/routing';
import { toolFields, toolExtras } from './fields';

export const fields: Field[] = [
	...Object.values(toolFields).map((field) => ({ ...field, required: true })),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [toolExtras.headers, toolExtras.parameters, toolExtras.timeout],
	},
];
