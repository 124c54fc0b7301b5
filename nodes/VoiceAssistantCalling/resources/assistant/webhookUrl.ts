import type { INodeProperties } from 'n8n-workflow';

import { sendText } from '../common/send';

/** Where calls are to be sent when a webhook is enabled. */
export const webhookUrl: INodeProperties = {
	displayName: 'Webhook URL',
	name: 'webhookUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/calls',
	description: 'It replaces the address that the assistant has now',
	routing: sendText('webhook_url'),
};
