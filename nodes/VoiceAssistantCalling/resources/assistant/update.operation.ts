import { assistantLocator } from '../../../shared/assistants/locators';
import { recordShapes } from '../../../shared/records/recordShapes';
import { required } from '../../../shared/pickers/locator';
import { additionalFieldsJson } from '../common/additionalFieldsJson';
import { removeFields } from '../common/removeFields';
import { replacingNotice } from '../common/replacingNotice';
import type { Operation } from '../operation';
import { assistantFields } from './fields';
import { settings } from './settings';

const removed = removeFields([
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
				additionalFieldsJson(() => update.fields),
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
		removed,
	],
};
