import type { Field } from '../../fields/routing';

/** Without routing: the transport reads it, and reads the list page by page. */
const returnAll: Field = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

/** Without routing, see {@link returnAll}. */
export const returnAllOrLimit: Field[] = [
	returnAll,
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
