import type { Field } from '../fields/routing';

/**
 * Shows fields for one operation only.
 *
 * @param resource the resource's value
 * @param operation the operation's value
 * @param fields may bring conditions of their own, which stay
 */
export const showFor = (resource: string, operation: string, fields: Field[]): Field[] =>
	fields.map((field) => ({
		...field,
		displayOptions: {
			show: { resource: [resource], operation: [operation], ...field.displayOptions?.show },
		},
	}));
