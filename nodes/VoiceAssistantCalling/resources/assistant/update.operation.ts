import { assistantLocator } from '../../../shared/assistants/locators';
import type { Field } from '../../fields/routing';
import { removing } from '../common/removing';
import { assistantFields } from './fields';
import { settings } from './settings';

/** What is set wins over what is removed. */
const removeFields: Field = {
	displayName: 'Remove',
	name: 'removeFields',
	type: 'collection',
	placeholder: 'Add What to Remove',
	default: {},
	description: 'A field that is left empty stays as it is. What is to be emptied is added here.',
	options: [
		{
			displayName: 'Phone Number',
			name: 'phoneNumber',
			type: 'boolean',
			default: true,
			description: 'Whether to take the phone number off the assistant',
			routing: removing('phone_number_id'),
		},
		{
			displayName: 'Post Call Schema',
			name: 'postCallSchema',
			type: 'boolean',
			default: true,
			description: 'Whether to remove the whole schema, so that nothing more is found out',
			routing: removing('post_call_schema'),
		},
		{
			displayName: 'Tools',
			name: 'tools',
			type: 'boolean',
			default: true,
			description: 'Whether to take all mid call tools off the assistant',
			routing: removing('tool_ids'),
		},
		{
			displayName: 'Variables',
			name: 'variables',
			type: 'boolean',
			default: true,
			description: 'Whether to take all custom values off the assistant',
			routing: removing('variables'),
		},
		{
			displayName: 'Webhook URL',
			name: 'webhookUrl',
			type: 'boolean',
			default: true,
			description: 'Whether to remove the webhook URL, which disables the webhook',
			routing: removing('webhook_url'),
		},
	],
};

export const fields: Field[] = [
	{ ...assistantLocator, required: true },
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Only what you add here and below changes',
		options: [
			assistantFields.callsDirection,
			assistantFields.engineType,
			assistantFields.initialMessage,
			assistantFields.language,
			assistantFields.llmModel,
			assistantFields.name,
			assistantFields.systemPrompt,
			assistantFields.timezone,
			assistantFields.voiceId,
		],
	},
	removeFields,
	...settings,
];
