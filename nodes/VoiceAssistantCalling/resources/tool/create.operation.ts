import type { INodeProperties } from 'n8n-workflow';

import { basics, extras } from './definition';

export const fields: INodeProperties[] = [
	...Object.values(basics).map((field) => ({ ...field, required: true })),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [extras.headers, extras.parameters, extras.timeout],
	},
];
