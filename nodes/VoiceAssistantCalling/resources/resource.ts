import type { INodeProperties } from 'n8n-workflow';

/** A resource of the service as the node shows it. */
export interface Resource {
	/** The list of its operations; each option says which request it makes. */
	operation: INodeProperties;
	/** The fields of each operation, by the operation's value. */
	fields: Record<string, INodeProperties[]>;
}

/**
 * Shows fields for one operation only.
 *
 * @param resource the resource's value
 * @param operation the operation's value
 * @param fields may bring conditions of their own, which stay
 */
export const showFor = (
	resource: string,
	operation: string,
	fields: INodeProperties[],
): INodeProperties[] =>
	fields.map((field) => ({
		...field,
		displayOptions: {
			show: { resource: [resource], operation: [operation], ...field.displayOptions?.show },
		},
	}));
