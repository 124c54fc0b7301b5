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
		"Phone numbers that must not be called or texted: one on each line, or a list by expression. An empty list stops nobody. They are compared as telephones, however they are written; where one has no country code, the last seven digits decide. An item with such a number, or with one that cannot be compared, is not sent: its 'result' is 'do not call'. Who already is a lead is still called.",
} satisfies Field;

/** The option that keeps a node from doing the same thing twice. */
export const onlyOnce = {
	displayName: 'Only Once Per',
	name: 'onlyOnce',
	type: 'string',
	default: '',
	placeholder: 'e.g. the ID of the order',
	description:
		"What an item is sent only once for, such as the ID of an order, or a phone number with a date. An item whose value this node has sent before, in any execution, is not sent: its 'result' is 'done before'. What the service refused may be sent again, and what nobody knows may not. The newest 10,000 values count. Put a word in front of the value to begin anew. Executions that you start in the editor always send, and remember nothing; a sub-workflow may.",
} satisfies Field;

/** What holds back a whole run. */
export const runLimits = [
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description:
			'Whether to check everything and send nothing. Each item shows the request that would be sent, and what it costs if it does.',
	},
	{
		displayName: 'Maximum Items',
		name: 'maximumItems',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 100,
		description:
			'How many items this node may send in one execution, also in a loop. A run that would exceed it sends nothing. The value for the first item counts.',
	},
] satisfies Field[];

/** The options of operations that cost money. An empty value could send what the user wants to hold back. */
export const spendingOptions = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'What holds back requests that cost money',
	options: [...runLimits, onlyOnce],
} satisfies Field;

/** The same, and {@link doNotCall}, in the order of their names. */
export const spendingOptionsOfPeople = {
	...spendingOptions,
	options: [doNotCall, ...spendingOptions.options],
};

/** The options of operations that delete. */
export const deletingOptions = {
	...spendingOptions,
	description: 'What holds back requests that cannot be undone',
	options: runLimits,
} satisfies Field;
