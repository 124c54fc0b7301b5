import type { Resource } from '../resource';
import { fields as getAll } from './getAll.operation';

const operation: Resource['operation'] = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['call'] } },
	options: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many calls',
			description: 'Retrieve a list of calls with their transcripts, variables and costs',
			routing: { request: { method: 'GET', url: '/user/calls' } },
		},
	],
	default: 'getAll',
};

export const call: Resource = { operation, fields: { getAll } };
