import { ASSISTANT_LIST_PATH } from '../../../shared/client/credential';
import type { Resource } from '../resource';
import * as create from './create.operation';
import * as disableInboundWebhook from './disableInboundWebhook.operation';
import * as disableWebhook from './disableWebhook.operation';
import * as enableInboundWebhook from './enableInboundWebhook.operation';
import * as enableWebhook from './enableWebhook.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as getWebhookStatus from './getWebhookStatus.operation';
import * as update from './update.operation';

/** The path is assumed, so the user can change it in the credential. */
const listUrl = `={{$credentials.assistantListPath || "${ASSISTANT_LIST_PATH}"}}`;

const operation: Resource['operation'] = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['assistant'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create assistant',
			description:
				'Create a new voice assistant. The output has its ID, name, status, type and mode.',
			routing: { request: { method: 'POST', url: '/user/assistant' } },
		},
		{
			name: 'Disable Inbound Webhook',
			value: 'disableInboundWebhook',
			action: 'Disable inbound webhook of assistant',
			description: 'Stop sending inbound calls to the inbound webhook URL',
			routing: { request: { method: 'POST', url: '/user/assistants/disable-inbound-webhook' } },
		},
		{
			name: 'Disable Webhook',
			value: 'disableWebhook',
			action: 'Disable webhook of assistant',
			description: 'Stop sending calls to the webhook URL and remove it',
			routing: { request: { method: 'POST', url: '/user/assistants/disable-webhook' } },
		},
		{
			name: 'Enable Inbound Webhook',
			value: 'enableInboundWebhook',
			action: 'Enable inbound webhook of assistant',
			description:
				'Send inbound calls to a URL when they are over. To start an n8n workflow, use the trigger instead.',
			routing: { request: { method: 'POST', url: '/user/assistants/enable-inbound-webhook' } },
		},
		{
			name: 'Enable Webhook',
			value: 'enableWebhook',
			action: 'Enable webhook of assistant',
			description:
				'Send calls to a URL when they are over. To start an n8n workflow, use the trigger instead.',
			// The contract names an operation that enables the webhook, but not its path.
			routing: {
				request: {
					method: 'PUT',
					url: '=/user/assistant/{{$parameter.assistantId}}',
					body: { is_webhook_active: true },
				},
			},
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get assistant',
			description: 'Retrieve an assistant with its settings',
			routing: { request: { method: 'GET', url: listUrl } },
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many assistants',
			description: 'Retrieve a list of assistants with their settings',
			routing: { request: { method: 'GET', url: listUrl } },
		},
		{
			name: 'Get Webhook Status',
			value: 'getWebhookStatus',
			action: 'Get webhook status of assistant',
			description:
				'Find out who receives the calls and tool requests of an assistant. Secrets are hidden.',
			routing: { request: { method: 'GET', url: listUrl } },
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update assistant',
			description:
				'Change the settings of an assistant. The output has its ID, name, status, type and mode.',
			routing: { request: { method: 'PUT', url: '=/user/assistant/{{$parameter.assistantId}}' } },
		},
	],
	default: 'getAll',
};

export const assistant: Resource = {
	operation,
	operations: {
		create,
		update,
		get,
		getAll,
		getWebhookStatus,
		enableWebhook,
		disableWebhook,
		enableInboundWebhook,
		disableInboundWebhook,
	},
};
