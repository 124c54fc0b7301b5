import { recordShapes } from '../../../shared/records/recordShapes';
import { outputFields } from '../common/output';
import type { Operation } from '../operation';
import { callOutput } from './callOutput';
import { fromDate, toDate } from './fields';
import { callField, oneCall } from './oneCall';

export const get: Operation = {
	name: 'Get',
	action: 'Get call',
	description: 'Retrieve a call with its outcome, transcript and variables',
	request: { method: 'GET', url: '/user/calls' },
	record: recordShapes.call,
	fields: [
		callField,
		...outputFields,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			description: 'The days in which the call is looked for',
			options: [fromDate, toDate],
		},
	],
	oneOfList: oneCall,
	output: callOutput,
};
