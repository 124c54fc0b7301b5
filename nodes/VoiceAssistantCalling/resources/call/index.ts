import type { Resource } from '../resource';
import * as downloadRecording from './downloadRecording.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';

const operation: Resource['operation'] = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['call'] } },
	options: [
		{
			name: 'Download Recording',
			value: 'downloadRecording',
			action: 'Download recording of call',
			description: 'Download the recording of a call as a file',
			routing: { request: { method: 'GET', url: '/user/calls' } },
			// An agent cannot listen to a file.
			displayOptions: { hide: { '@tool': [true] } },
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get call',
			description: 'Retrieve a call with its outcome, transcript and variables',
			routing: { request: { method: 'GET', url: '/user/calls' } },
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many calls',
			description: 'Retrieve a list of calls with their outcomes, transcripts and variables',
			routing: { request: { method: 'GET', url: '/user/calls' } },
		},
	],
	default: 'getAll',
};

export const call: Resource = {
	operation,
	operations: { downloadRecording, get, getAll },
};
