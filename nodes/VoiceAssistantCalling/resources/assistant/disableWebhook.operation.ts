import type { Operation } from '../operation';
import { assistantInBody } from './fields';

export const disableWebhook: Operation = {
	name: 'Disable Webhook',
	action: 'Disable webhook of assistant',
	description: 'Stop sending calls to the webhook URL and remove it',
	request: { method: 'POST', url: '/user/assistants/disable-webhook' },
	fields: [assistantInBody],
};
