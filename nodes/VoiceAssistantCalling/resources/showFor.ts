import type { Field } from '../fields/routing';

/**
 * Shows fields for one operation only.
 *
 * @param fields their own conditions stay
 */
export const showFor = (resource: string, operation: string, fields: Field[]): Field[] =>
	fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { resource: [resource], operation: [operation], ...field.displayOptions?.show },
		},
	}));
