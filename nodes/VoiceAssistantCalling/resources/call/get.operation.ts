import type { Field } from '../../fields/routing';
import { outputFields } from '../common/output';
import { callField, fromDate, toDate } from './fields';

export const fields: Field[] = [
	callField,
	...outputFields,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [fromDate, toDate],
	},
];
