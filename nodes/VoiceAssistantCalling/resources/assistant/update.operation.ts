import type { INodeProperties } from 'n8n-workflow';

import { assistantLocator } from '../../../shared/locators';
import { sendEmpty } from '../common/send';
import { basics } from './basics';
import { settings } from './settings';

/** Before the settings, so that what is set wins over what is removed. */
const removeFields: INodeProperties = {
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
			routing: sendEmpty('phone_number_id', 'null'),
		},
		{
			displayName: 'Post Call Schema',
			name: 'postCallSchema',
			type: 'boolean',
			default: true,
			description: 'Whether to remove the whole schema, so that nothing more is found out',
			routing: sendEmpty('post_call_schema', '[]'),
		},
		{
			displayName: 'Tools',
			name: 'tools',
			type: 'boolean',
			default: true,
			description: 'Whether to take all mid call tools off the assistant',
			routing: sendEmpty('tool_ids', '[]'),
		},
		{
			displayName: 'Variables',
			name: 'variables',
			type: 'boolean',
			default: true,
			description: 'Whether to take all custom values off the assistant',
			routing: sendEmpty('variables', '{}'),
		},
		{
			displayName: 'Webhook URL',
			name: 'webhookUrl',
			type: 'boolean',
			default: true,
			description: 'Whether to remove the webhook URL, which disables the webhook',
			routing: sendEmpty('webhook_url', 'null'),
		},
	],
};

export const fields: INodeProperties[] = [
	{ ...assistantLocator, required: true },
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Only what you add here and below changes',
		options: [
			basics.callsDirection,
			basics.engineType,
			basics.initialMessage,
			basics.language,
			basics.llmModel,
			basics.name,
			basics.systemPrompt,
			basics.timezone,
			basics.voiceId,
		],
	},
	removeFields,
	...settings,
];
