import type { Resource } from '../resource';
import * as create from './create.operation';
import * as respond from './respond.operation';
import * as update from './update.operation';

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
				'Create a new tool that assistants use during a call. The service cannot list or delete tools, and your plan limits their number.',
			routing: { request: { method: 'POST', url: '/user/tools' } },
		},
		{
			name: 'Respond',
			value: 'respond',
			action: 'Respond to mid call tool',
			description:
				'Answer the assistant that called this workflow as a tool. Needs a Mid Call Tool Trigger at the beginning of the workflow.',
			// An agent is no assistant in a call.
			displayOptions: { hide: { '@tool': [true] } },
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

export const midCallTool: Resource = {
	operation,
	operations: { create, respond, update },
};
