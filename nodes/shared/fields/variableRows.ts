import type { RuledField } from './textRule';

/** Variables of a call, one by one. */
export const variableRows = {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
	placeholder: 'Add Variable',
	default: {},
	options: [
		{
			displayName: 'Variable',
			name: 'variable',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. city',
					description: 'Name of the variable, as the assistant knows it',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description: 'Value of the variable, as text',
				},
			],
		},
	],
} satisfies Partial<RuledField>;
