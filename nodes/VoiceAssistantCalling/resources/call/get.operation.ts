import type { Field } from '../../fields/routing';
import { outputFields } from '../common/output';
import { fromDate, toDate } from './fields';
import { callField } from './oneCall';

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

export { callOutput as toOutput } from './callOutput';
export { oneCall as oneOfList } from './oneCall';
