import type { Resource } from '../resource';
import { fields as create } from './create.operation';
import { fields as update } from './update.operation';

const operation: Resource['operation'] = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['midCallTool'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create mid call tool',
			description:
				'Create a new mid call tool. The service cannot list or delete tools, and your plan limits their number.',
			routing: { request: { method: 'POST', url: '/user/tools' } },
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update mid call tool',
			description: 'Change a mid call tool',
			routing: { request: { method: 'PUT', url: '=/user/tools/{{$parameter.toolId}}' } },
		},
	],
	default: 'create',
};

export const midCallTool: Resource = { operation, fields: { create, update } };
