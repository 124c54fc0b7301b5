import type { Field } from '../fields/routing';

/** The option of operations whose requests name the person who is reached. */
export const doNotCall = {
	displayName: 'Do Not Call',
	name: 'doNotCall',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. +4915112345678',
	description:
		"Phone numbers of people who must not be reached: one on each line, or a list by expression. They are compared as telephones, however they are written; where one has no country code, the last seven digits decide. An item with such a number is not sent: its 'result' is 'do not call'. It does not stop people who already are leads.",
} satisfies Field;

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

/** The same, and {@link doNotCall}, in the order of their names. */
export const spendingOptionsOfPeople: Field = {
	...spendingOptions,
	options: [doNotCall, ...spendingOptions.options],
};
