import { required } from '../../../shared/pickers/locator';
import type { Operation } from '../operation';
import { assistantInBody, webhookUrlField } from './fields';

export const enableInboundWebhook: Operation = {
	name: 'Enable Inbound Webhook',
	action: 'Enable inbound webhook of assistant',
	description:
		'Send inbound calls to a URL when they are over. To start an n8n workflow, use the trigger instead.',
	request: { method: 'POST', url: '/user/assistants/enable-inbound-webhook' },
	fields: [assistantInBody, required(webhookUrlField)],
};
