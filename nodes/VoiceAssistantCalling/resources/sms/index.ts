import type { Resource } from '../resource';
import * as send from './send.operation';

const operation: Resource['operation'] = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['sms'] } },
	options: [
		{
			name: 'Send',
			value: 'send',
			action: 'Send paid SMS',
			description: 'Send a text message. It costs money, depending on segments and destination.',
			routing: { request: { method: 'POST', url: '/user/sms' } },
		},
	],
	default: 'send',
};

export const sms: Resource = { operation, operations: { send } };
