import { variableRows } from '../../../shared/fields/variableRows';
import { INPUT_ITEM, type Field } from '../../fields/routing';
import { mergeVariables } from './mergeVariables';

const shownFor = (mode: string): Field['displayOptions'] => ({ show: { variablesMode: [mode] } });

/**
 * The fields for variables: one by one, all fields of the input item, or JSON.
 *
 * @param description what happens to the variables that the record has
 */
export const variables = (description: string): Field[] => [
	{
		displayName: 'Specify Variables',
		name: 'variablesMode',
		type: 'options',
		noDataExpression: true,
		default: 'mapEachField',
		description,
		options: [
			{
				name: 'Map Each Field',
				value: 'mapEachField',
				description: 'Enter the name and the value of each variable',
			},
			{
				name: 'Send All Input Fields',
				value: 'sendAllInputFields',
				description: 'Each field of the input item becomes a variable',
				// The input of a node that an agent uses is the agent's own message.
				displayOptions: { hide: { '@tool': [true] } },
			},
			{
				name: 'Using JSON',
				value: 'json',
				description: 'Enter an object, also for values that are not text',
			},
		],
	},
	{
		displayName: 'Variables',
		name: 'variables',
		...variableRows,
		displayOptions: shownFor('mapEachField'),
		description: 'Custom values that the assistant can use in the conversation',
		routing: { send: { type: 'body', property: 'variables', preSend: [mergeVariables] } },
	},
	{
		displayName: 'Input Fields',
		name: 'variablesInput',
		type: 'hidden',
		displayOptions: shownFor('sendAllInputFields'),
		default: INPUT_ITEM,
		description: 'All fields of the input item',
		routing: { send: { type: 'body', property: 'variables.input', preSend: [mergeVariables] } },
	},
	{
		displayName: 'Fields to Leave Out',
		name: 'variablesToLeaveOut',
		type: 'string',
		requiresDataPath: 'multiple',
		displayOptions: shownFor('sendAllInputFields'),
		default: '',
		placeholder: 'e.g. phone, campaign',
		description:
			'Names of input fields that do not become variables, separated by commas. Empty fields are always left out.',
		routing: { send: { type: 'body', property: 'variables.leaveOut', preSend: [mergeVariables] } },
	},
	{
		displayName: 'Variables (JSON)',
		name: 'variablesJson',
		type: 'json',
		displayOptions: shownFor('json'),
		default: '{}',
		placeholder: 'e.g. {"city": "Berlin", "visits": 3}',
		description: 'Custom values that the assistant can use in the conversation, as a JSON object',
		routing: { send: { type: 'body', property: 'variables.json', preSend: [mergeVariables] } },
	},
];
