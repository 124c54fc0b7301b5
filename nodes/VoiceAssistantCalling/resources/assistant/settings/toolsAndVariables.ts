import { toolLocator } from '../../../../shared/assistants/locators';
import type { Field } from '../../../fields/routing';
import { variables, variablesJson } from '../../common/variables';
import { toToolIds } from '../toToolIds';

export const toolsAndVariables: Field = {
	displayName: 'Tools and Variables',
	name: 'toolsAndVariables',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'What the assistant can use in the conversation',
	options: [
		{
			displayName: 'Tools',
			name: 'tools',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tool' },
			placeholder: 'Add Tool',
			default: {},
			description:
				'The mid call tools of the assistant. They replace all tools that it has, so add every tool.',
			routing: { send: { type: 'body', property: 'tool_ids', preSend: [toToolIds] } },
			options: [
				{ displayName: 'Tool', name: 'tool', values: [{ ...toolLocator, required: true }] },
			],
		},
		{
			...variables,
			description:
				'Custom values that the assistant can use in the conversation. They replace all variables that it has.',
		},
		{
			...variablesJson,
			description:
				'Custom values as a JSON object, together with those under Variables. They replace all variables that the assistant has.',
		},
	],
};
