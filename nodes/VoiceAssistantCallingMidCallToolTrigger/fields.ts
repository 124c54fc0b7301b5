import type { INodeProperties } from 'n8n-workflow';

import { startWhenLate } from '../shared/answers/startInTime';
import { assistantsField, toolLocator } from '../shared/assistants/assistantLocators';
import type { RuledField } from '../shared/fields/textRule';
import { HEADER_VALUE, toolFields } from '../shared/midCallTools/toolFields';
import { required } from '../shared/pickers/locator';

/** Says it until n8n does: its help beside the fields is blank while a required one is empty. */
const firstSteps: INodeProperties = {
	displayName:
		"Say what the tool is for, and which assistants have it. The node 'Call → Respond' gives the answer. Then publish.",
	name: 'firstSteps',
	type: 'notice',
	default: '',
	displayOptions: { show: { name: [''] } },
};

const tool: INodeProperties = {
	displayName: 'Tool',
	name: 'tool',
	type: 'options',
	description: 'Whether publishing creates a tool or changes one',
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
	...required(toolLocator),
	displayName: 'Existing Tool',
	displayOptions: { show: { tool: ['existing'] } },
};

/** What no record of a newer service shows (public-service: Assistant record). */
export const otherTools: INodeProperties = {
	displayName: 'Other Tools of These Assistants',
	name: 'otherTools',
	type: 'options',
	description:
		'Which other mid call tools the assistants have. Only needed where the service does not show it: tools that are missing from the list are taken off, also when you unpublish.',
	options: [
		{ name: 'None', value: 'none', description: 'They have no other tool' },
		{
			name: 'Not Said',
			value: 'notSaid',
			description: 'Publishing is refused if a tool could be lost',
		},
		{ name: 'These', value: 'these', description: 'They keep the tools of a list' },
	],
	default: 'notSaid',
};

const otherToolIds: INodeProperties = {
	displayName: 'Tools to Keep',
	name: 'otherToolIds',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Tool',
	default: {},
	displayOptions: { show: { otherTools: ['these'] } },
	description:
		'The other tools that each of the assistants has. Tools that are missing here are taken off. Tools of other workflows of this n8n stay.',
	options: [{ displayName: 'Tool', name: 'values', values: [toolLocator] }],
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

export const callDetails: INodeProperties = {
	displayName: 'Call Details',
	name: 'callDetails',
	type: 'boolean',
	default: true,
	noDataExpression: true,
	description:
		'Whether the service should say with whom the assistant talks. The item has the phone numbers of both, and the ID of the assistant, as the field call.',
};

/** The option that replaces the details of `USUAL_DETAILS`. */
export const callDetailNames: RuledField = {
	displayName: 'Call Detail Names',
	name: 'callDetailNames',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Call Detail' },
	placeholder: 'Add Call Detail',
	default: {},
	displayOptions: { hide: { callDetails: [false] } },
	description:
		'What to ask for in place of customer_phone, assistant_phone and assistant_id, for a service that has other names or knows more',
	options: [
		{
			displayName: 'Call Detail',
			name: 'detail',
			hasUniqueNames: true,
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					noDataExpression: true,
					placeholder: 'e.g. customer_phone',
					description: 'The name in the item: letters, digits and underscores',
					rule: {
						maxLength: 64,
						pattern: '^[A-Za-z][A-Za-z0-9_]*$',
						problem: 'must have up to 64 letters, digits and underscores, and start with a letter',
					},
				},
				{
					displayName: 'Placeholder',
					name: 'placeholder',
					type: 'string',
					default: '',
					required: true,
					noDataExpression: true,
					placeholder: 'e.g. customer_phone',
					description:
						'What the service replaces. It gets two pairs of curly brackets, unless you enter other characters than letters, digits, dots, hyphens and underscores.',
					rule: HEADER_VALUE,
				},
			],
		},
	],
};

/** How long a repeated request gets the first answer. */
export const sameAnswer: INodeProperties = {
	displayName: 'Same Answer For (Seconds)',
	name: 'sameAnswerSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 600 },
	default: 60,
	noDataExpression: true,
	displayOptions: { hide: { callDetails: [false] } },
	description:
		'How long the same caller with the same parameters gets the answer of the first request, and starts no other execution, from 0 to 600. Without this option, it is 60. With 0, each request starts one. Only where the service says who calls, and within one process of n8n.',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'Settings that are rarely needed',
	options: [
		callDetailNames,
		callDetails,
		{
			...toolFields.headers,
			description: 'Headers that the assistant sends with every call of the tool',
		},
		{ ...toolFields.method, noDataExpression: true },
		replaceTool,
		sameAnswer,
		startWhenLate,
		{
			...toolFields.timeout,
			noDataExpression: true,
			description:
				'How long the assistant waits for the answer, from 1 to 30 seconds. Without this option, it is 10. The person on the phone waits too.',
		},
	],
};

/** The fields of the trigger. The tool is registered with the values that they have at the publish. */
export const fields: INodeProperties[] = [
	firstSteps,
	{ ...toolFields.name, required: true, noDataExpression: true },
	{ ...toolFields.description, required: true, noDataExpression: true },
	{
		...toolFields.parameters,
		description: 'What the assistant finds out in the conversation and passes to the workflow',
	},
	{
		...assistantsField,
		required: true,
		description: 'The assistants that can use the tool',
	},
	otherTools,
	otherToolIds,
	tool,
	existingTool,
	fallbackAnswer,
	options,
];
