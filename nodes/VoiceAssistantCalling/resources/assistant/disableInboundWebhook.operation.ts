import type { Operation } from '../operation';
import { assistantInBody } from './fields';

export const disableInboundWebhook: Operation = {
	name: 'Disable Inbound Webhook',
	action: 'Disable inbound webhook of assistant',
	description: 'Stop sending inbound calls to the inbound webhook URL',
	request: { method: 'POST', url: '/user/assistants/disable-inbound-webhook' },
	fields: [assistantInBody],
};
