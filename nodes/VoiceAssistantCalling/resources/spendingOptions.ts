import type { Field } from '../fields/routing';

/** The options of operations that cost money. An empty value could send what the user wants to hold back. */
export const spendingOptions = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'What holds back requests that cost money',
	options: [
		{
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			default: true,
			description:
				'Whether to check everything and send nothing. Each item shows the request that would be sent, and what it costs.',
		},
		{
			displayName: 'Maximum Items',
			name: 'maximumItems',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 100,
			description:
				'How many items this node may send in one execution of the workflow, all its runs together. A run that would send more sends nothing. The value for the first item counts.',
		},
	],
} satisfies Field;
