import type { Field } from '../../fields/routing';
import { assistantFields } from './fields';
import { settings } from './settings';

export const fields: Field[] = [
	...Object.values(assistantFields).map((field) => ({ ...field, required: true })),
	...settings(
		'A setting that you do not add gets the default of the service, which is not published.',
	),
];
