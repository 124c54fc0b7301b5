import type { Field } from '../../fields/routing';

/** These fields have no routing: the transport reads them, and reads the list page by page. */
export const returnAllOrLimit: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		required: true,
		description: 'Max number of results to return',
	},
];
