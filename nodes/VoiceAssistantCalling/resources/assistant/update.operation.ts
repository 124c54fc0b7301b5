import { assistantLocator } from '../../../shared/assistants/assistantLocators';
import { recordShapes } from '../../../shared/records/recordShapes';
import { required } from '../../../shared/pickers/locator';
import { removeFields } from '../common/removeFields';
import { replacingNotice } from '../common/replacingNotice';
import type { Operation } from '../operation';
import { assistantFields, assistantJson } from './fields';
import { sendAssistant } from './generations/sendAssistant';
import { settings } from './settings';

const removed = removeFields([
	{
		displayName: 'Built-in Tools',
		name: 'builtInTools',
		description: 'all built-in tools from the assistant. Some providers do not have it.',
		property: 'tools',
	},
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		description: 'the phone number from the assistant',
		property: 'phone_number_id',
	},
	{
		displayName: 'Post Call Schema',
		name: 'postCallSchema',
		description: 'the whole schema. The assistant then finds out no values.',
		property: 'post_call_schema',
	},
	{
		displayName: 'Secondary Languages',
		name: 'secondaryLanguages',
		description: 'all secondary languages from the assistant. Some providers do not have it.',
		property: 'secondary_language_ids',
	},
	{
		displayName: 'Tools',
		name: 'tools',
		description: 'all mid call tools from the assistant',
		property: 'tool_ids',
	},
	{
		displayName: 'Variables',
		name: 'variables',
		description: 'all variables from the assistant',
		property: 'variables',
	},
	{
		displayName: 'Voicemail Message',
		name: 'voicemailMessage',
		description: 'the message, so that none is left on a voicemail. Some providers do not have it.',
		property: 'voice_mail_message',
	},
	{
		displayName: 'Webhook URL',
		name: 'webhookUrl',
		description: 'the webhook URL, which disables the webhook',
		property: 'webhook_url',
	},
]);

export const update: Operation = {
	name: 'Update',
	action: 'Update assistant',
	description:
		'Change the settings of an assistant. The output has its ID, name, status, type and mode.',
	request: { method: 'PUT', url: '=/user/assistant/{{$parameter.assistantId}}' },
	record: recordShapes.assistantSummary,
	fields: [
		required(assistantLocator),
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Only what you add here and below changes',
			options: [
				assistantJson(() => update.fields),
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
			replacingNotice(
				'Variables, Tools, Built-in Tools, Secondary Languages or Post Call Schema',
				'assistant',
			),
		),
		removed,
	],
	sendItem: sendAssistant,
};
