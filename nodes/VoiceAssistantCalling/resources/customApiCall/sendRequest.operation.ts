import type { Field } from '../../fields/routing';
import { returnAll } from '../common/returnAllOrLimit';
import type { OperationWithFreeRequest } from '../operation';
import { parseFullResponse } from './fullResponse';
import { getKey, handleResponse, toItems } from './response';
import { toRequest } from './toRequest';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((name) => ({ name, value: name }));

const forAgents: Field['displayOptions'] = { show: { '@tool': [true] } };

const shownForQuery = (mode: string): Field['displayOptions'] => ({
	show: { queryMode: [mode] },
});

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

const query: Field[] = [
	{
		displayName: 'Specify Query Parameters',
		name: 'queryMode',
		type: 'options',
		noDataExpression: true,
		default: 'fields',
		description: 'What follows the question mark of the address',
		options: [
			{ name: 'Map Each Field', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
	},
	{
		displayName: 'Query Parameters',
		name: 'queryParameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Parameter' },
		displayOptions: shownForQuery('fields'),
		placeholder: 'Add Parameter',
		default: {},
		description: 'Each is added to the address, such as status=completed',
		options: [
			{
				displayName: 'Parameter',
				name: 'parameter',
				hasUniqueNames: true,
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. status',
						description: 'Name of the parameter',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. completed',
						description: 'Value of the parameter',
					},
				],
			},
		],
	},
	{
		displayName: 'Query Parameters (JSON)',
		name: 'queryJson',
		type: 'json',
		displayOptions: shownForQuery('json'),
		default: '{}',
		placeholder: 'e.g. {"status": "completed", "per_page": 100}',
		description: 'A JSON object, or an expression that gives one',
	},
];

export const sendRequest: OperationWithFreeRequest = {
	name: 'Send Request',
	action: 'Make custom API call',
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
			...returnAll,
			displayOptions: { show: { method: ['GET'] } },
			hint: 'Reads all pages of a list. The node sets page and per_page itself.',
		},
		...query,
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
			displayOptions: { hide: { returnAll: [true] } },
			default: false,
			description:
				'Whether to return the status, the headers and the whole body instead of only the records. Headers with cookies or tokens are left out.',
		},
	],
	toRequest,
	getCost: (_body, method) => ({
		cost: method === 'GET' ? 'nothing' : 'what the service charges for it',
	}),
	parseResponse: parseFullResponse,
	handleResponse,
	getKey,
	toItems,
};
