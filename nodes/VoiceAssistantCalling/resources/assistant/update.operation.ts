import { assistantLocator } from '../../../shared/assistants/locators';
import type { Field } from '../../fields/routing';
import { removing } from '../common/removing';
import { replacingNotice } from '../common/replacingNotice';
import { assistantFields } from './fields';
import { settings } from './settings';

/** When a field is both set and removed, its new value is sent. */
const removeFields: Field = {
	displayName: 'Remove',
	name: 'removeFields',
	type: 'collection',
	placeholder: 'Add What to Remove',
	default: {},
	description: 'A field that you leave empty stays as it is. To empty a field, add it here.',
	options: [
		{
			displayName: 'Phone Number',
			name: 'phoneNumber',
			type: 'boolean',
			default: true,
			description: 'Whether to remove the phone number from the assistant',
			routing: removing('phone_number_id'),
		},
		{
			displayName: 'Post Call Schema',
			name: 'postCallSchema',
			type: 'boolean',
			default: true,
			description: 'Whether to remove the whole schema. The assistant then finds out no values.',
			routing: removing('post_call_schema'),
		},
		{
			displayName: 'Tools',
			name: 'tools',
			type: 'boolean',
			default: true,
			description: 'Whether to remove all mid call tools from the assistant',
			routing: removing('tool_ids'),
		},
		{
			displayName: 'Variables',
			name: 'variables',
			type: 'boolean',
			default: true,
			description: 'Whether to remove all variables from the assistant',
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
	...settings(
		'A setting that you do not add stays as it is.',
		replacingNotice('Variables, Tools or Post Call Schema', 'assistant'),
	),
	removeFields,
];
