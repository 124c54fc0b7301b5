import { limits } from '../../../../shared/fields/limits';
import type { Field } from '../../../fields/routing';
import { tableOrJson } from '../../common/tableOrJson';

const schema: Field = {
	displayName: 'Post Call Schema',
	name: 'postCallSchema',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Value' },
	placeholder: 'Add Value',
	default: {},
	description:
		'Values that the assistant finds out in the conversation. They arrive as variables of the call.',
	routing: { send: { type: 'body', property: 'post_call_schema' } },
	options: [
		{
			displayName: 'Value',
			name: 'value',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. appointment_booked',
					description: 'Letters, digits and underscores',
					rule: {
						...limits.createAssistant.post_call_schema.name,
						problem: 'must contain only letters, digits and underscores',
					},
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					default: 'string',
					required: true,
					description: 'What kind of value it is',
					options: [
						{ name: 'Number', value: 'number' },
						{ name: 'Text', value: 'string' },
						{ name: 'True or False', value: 'bool' },
					],
				},
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. Whether an appointment was booked',
					description: 'What the assistant finds out',
				},
			],
		},
	],
};

export const postCallSchema = tableOrJson(
	schema,
	'[{"name": "booked", "type": "bool", "description": "Whether it was booked"}]',
);
