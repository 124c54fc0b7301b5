import { MAX_PER_PAGE } from '../../../shared/client/pages';
import type { OneOfList, Resource } from '../resource';
import { callOutput } from './callOutput';
import { fields as downloadRecording, toRecording } from './downloadRecording.operation';
import { fields as get } from './get.operation';
import { fields as getAll } from './getAll.operation';

/** The list of calls grows without end, so only this many pages are read for one call. */
const MAX_PAGES = 20;

/** The service cannot give one call, so some operations read the list until it comes. */
const oneCall: OneOfList = {
	idField: 'callId',
	notFound: 'Call not found',
	bound: {
		maxPages: MAX_PAGES,
		nextStep: `It is not among the ${(MAX_PAGES * MAX_PER_PAGE).toLocaleString('en')} calls that were read. Check the ID, or add 'From Date' and 'To Date' under Options with the day of the call.`,
	},
};

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
	fields: { downloadRecording, get, getAll },
	oneOfList: { downloadRecording: oneCall, get: oneCall },
	toOutput: { downloadRecording: callOutput, get: callOutput, getAll: callOutput },
	toFile: { downloadRecording: toRecording },
};
