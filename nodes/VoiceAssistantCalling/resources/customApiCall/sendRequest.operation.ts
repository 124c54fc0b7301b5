import type { Field } from '../../fields/routing';
import type { OperationWithFreeRequest } from '../operation';
import { parseFullResponse, toItems } from './fullResponse';
import { toRequest } from './toRequest';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((name) => ({ name, value: name }));

const forAgents: Field['displayOptions'] = { show: { '@tool': [true] } };

/** What an AI agent may send. They take no expression, so that no model can fill them in. */
const allowed: Field[] = [
	{
		displayName: 'Allowed Methods',
		name: 'allowedMethods',
		type: 'multiOptions',
		noDataExpression: true,
		displayOptions: forAgents,
		options: METHODS,
		default: ['GET'],
		required: true,
		description:
			'What the agent may send. All methods but GET can change data, and spend money with your API token.',
	},
	{
		displayName: 'Allowed Paths',
		name: 'allowedPaths',
		type: 'string',
		typeOptions: { rows: 3 },
		noDataExpression: true,
		displayOptions: forAgents,
		default: '',
		required: true,
		placeholder: 'e.g. /user/calls*',
		hint: 'One in each line. * stands for any characters.',
		description: 'The agent can use no other paths',
	},
];

export const sendRequest: OperationWithFreeRequest = {
	name: 'Send Request',
	action: 'Send custom API call',
	description:
		'Send any request to the service, with the credential. All methods but GET can change data, and cost money.',
	fields: [
		{
			displayName: 'Method',
			name: 'method',
			type: 'options',
			default: 'GET',
			required: true,
			description:
				'A GET only reads, and is repeated after a failure. Any other method counts as a write, which is sent once.',
			options: METHODS,
		},
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. /user/calls',
			hint: 'What comes after the Base URL of the credential',
			description: 'The host is always the one of the credential',
			rule: { maxLength: 2_000 },
		},
		...allowed,
		{
			displayName: 'Query Parameters (JSON)',
			name: 'query',
			type: 'json',
			default: '',
			placeholder: 'e.g. {"status": "completed", "per_page": 100}',
			description:
				'What follows the question mark of the address: a JSON object, or an expression that gives one',
		},
		{
			displayName: 'Body (JSON)',
			name: 'body',
			type: 'json',
			displayOptions: { show: { method: ['DELETE', 'PATCH', 'POST', 'PUT'] } },
			default: '',
			placeholder: 'e.g. {"name": "Lisa"}',
			description:
				'A JSON object or list, or an expression that gives one. Leave it empty for no body.',
			takesList: true,
		},
		{
			displayName: 'Full Response',
			name: 'fullResponse',
			type: 'boolean',
			default: false,
			description:
				'Whether to return the status and the whole body, such as the number of pages of a list, instead of only the records',
		},
	],
	toRequest,
	getCost: (_body, method) => ({
		cost: method === 'GET' ? 'nothing' : 'what the service charges for it',
	}),
	parseResponse: parseFullResponse,
	toItems,
};
