import { assistantLocator } from '../../../shared/assistants/assistantLocators';
import { recordShapes } from '../../../shared/records/recordShapes';
import { required } from '../../../shared/pickers/locator';
import type { Operation } from '../operation';
import { webhookUrlField } from './fields';

export const enableWebhook: Operation = {
	name: 'Enable Webhook',
	action: 'Enable webhook of assistant',
	description:
		'Send calls to a URL when they are over. To start an n8n workflow, use the trigger instead.',
	// The contract names an operation that enables the webhook, but not its path. An update does it.
	request: {
		method: 'PUT',
		url: '=/user/assistant/{{$parameter.assistantId}}',
		body: { is_webhook_active: true },
	},
	record: recordShapes.assistantSummary,
	fields: [required(assistantLocator), required(webhookUrlField)],
};
