import type { Resource } from '../resource';
import * as start from './start.operation';
import * as stop from './stop.operation';

const operation: Resource['operation'] = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['campaign'] } },
	options: [
		{
			name: 'Start',
			value: 'start',
			action: 'Start campaign with paid calls',
			description: 'Begin to call all leads of a campaign. The calls cost money.',
			routing: {
				request: {
					method: 'POST',
					url: '/user/campaigns/update-status',
					body: { action: 'start' },
				},
			},
		},
		{
			name: 'Stop',
			value: 'stop',
			action: 'Stop campaign',
			description: 'Make no further calls for a campaign',
			routing: {
				request: {
					method: 'POST',
					url: '/user/campaigns/update-status',
					body: { action: 'stop' },
				},
			},
		},
	],
	default: 'start',
};

export const campaign: Resource = {
	operation,
	operations: { start, stop },
};
