import { recordShapes } from '../../../shared/records/recordShapes';
import { outputFields } from '../common/output';
import type { Operation } from '../operation';
import { callOutput } from './callOutput';
import { fromDate, toDate } from './fields';
import { callField, oneCall, oneCallRequest } from './oneCall';

export const get: Operation = {
	name: 'Get',
	action: 'Get call',
	description:
		'Retrieve a call with its outcome, transcript and variables. Where it is missing, the list of calls is read.',
	request: oneCallRequest,
	notInContract: { notFound: oneCall.notFound },
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
			description: 'The days in which the call is looked for, where a list is read',
			options: [fromDate, toDate],
		},
	],
	oneOfList: oneCall,
	output: callOutput,
};
