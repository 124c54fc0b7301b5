import type { INodeProperties } from 'n8n-workflow';

import { callStatuses, callTypes } from '../shared/calls/callTypes';
import { isOpenStatus } from '../shared/calls/outcome';

export const callTypesField: INodeProperties = {
	displayName: 'Call Types',
	name: 'callTypes',
	type: 'multiOptions',
	default: [],
	description: 'Only calls of these types. Leave it empty for all types.',
	options: callTypes,
};

export const statusesField: INodeProperties = {
	displayName: 'Final Statuses',
	name: 'statuses',
	type: 'multiOptions',
	default: [],
	description: 'Only calls that finished with one of these statuses. Leave it empty for all.',
	options: callStatuses.filter(({ value }) => !isOpenStatus(value)),
};

/** The filters of the calls. The node compares the values with the records. */
export const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'Only calls that match all filters start the workflow',
	options: [callTypesField, statusesField],
};

export const waitAfterEndField: INodeProperties = {
	displayName: 'Wait After the End (Seconds)',
	name: 'waitAfterEnd',
	type: 'number',
	default: 0,
	typeOptions: { minValue: 0, maxValue: 3600 },
	description:
		'How many seconds a call waits after a poll first sees that it is over, from 0 to 3600. For services that add the transcript or the recording some time after the end. Each call starts the workflow later by this time.',
};

/** The collection *Options* of the trigger. */
export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'When a finished call starts the workflow',
	options: [waitAfterEndField],
};
