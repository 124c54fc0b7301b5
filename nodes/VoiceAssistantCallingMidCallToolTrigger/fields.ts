import type { INodeProperties } from 'n8n-workflow';

import { assistantsField, toolLocator } from '../shared/assistants/locators';
import { toolFields } from '../shared/midCallTools/fields';

const tool: INodeProperties = {
	displayName: 'Tool',
	name: 'tool',
	type: 'options',
	options: [
		{
			name: 'Create on Publish',
			value: 'create',
			description:
				'The first publish creates the tool, and each later publish uses it again. Your plan limits the number of tools.',
		},
		{
			name: 'Use Existing',
			value: 'existing',
			description: 'Publishing changes a tool of the account to what is set here',
		},
	],
	default: 'create',
};

const existingTool: INodeProperties = {
	...toolLocator,
	displayName: 'Existing Tool',
	required: true,
	displayOptions: { show: { tool: ['existing'] } },
};

export const fallbackAnswer: INodeProperties = {
	displayName: 'Fallback Answer',
	name: 'fallbackAnswer',
	type: 'string',
	default: 'I cannot look that up at the moment.',
	required: true,
	noDataExpression: true,
	description:
		'What the assistant learns when the workflow fails, ends without an answer, or has no answer shortly before the timeout',
};

export const replaceTool: INodeProperties = {
	displayName: 'Replace Existing Tool',
	name: 'replaceTool',
	type: 'boolean',
	default: true,
	displayOptions: { show: { '/tool': ['existing'] } },
	description:
		'Whether to take over the existing tool even if it belongs to another system or cannot be seen. Its endpoint and all its settings are overwritten.',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			...toolFields.headers,
			description: 'Headers that the assistant sends with every call of the tool',
		},
		replaceTool,
	],
};

/** The fields of the trigger. The tool is registered with the values that they have at the publish. */
export const fields: INodeProperties[] = [
	tool,
	existingTool,
	{ ...toolFields.name, required: true, noDataExpression: true },
	{ ...toolFields.description, required: true, noDataExpression: true },
	{
		...toolFields.parameters,
		description: 'What the assistant finds out in the conversation and passes to the workflow',
	},
	{
		...assistantsField,
		required: true,
		description: 'The assistants that can use the tool. They keep all their other tools.',
	},
	fallbackAnswer,
	{
		...toolFields.timeout,
		noDataExpression: true,
		description:
			'How long the assistant waits for the answer, from 1 to 30 seconds. The person on the phone waits too.',
	},
	{ ...toolFields.method, noDataExpression: true },
	options,
];
