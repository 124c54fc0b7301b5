import type { Resource } from '../resource';
import * as create from './create.operation';
import * as update from './update.operation';

const operation: Resource['operation'] = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['lead'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create lead',
			description:
				'Add a person whom a campaign should call, with variables for the conversation. If the campaign is running, the call costs money.',
			routing: { request: { method: 'POST', url: '/user/lead' } },
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update lead',
			description:
				'Change a lead. If you move it to a running campaign, or set its status to Created, it is called again, which costs money.',
			routing: { request: { method: 'PUT', url: '=/user/leads/{{$parameter.leadId}}' } },
		},
	],
	default: 'create',
};

export const lead: Resource = {
	operation,
	operations: { create, update },
};
