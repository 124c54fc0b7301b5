import { resource } from '../resource';
import { create } from './create.operation';
import { disableInboundWebhook } from './disableInboundWebhook.operation';
import { disableWebhook } from './disableWebhook.operation';
import { enableInboundWebhook } from './enableInboundWebhook.operation';
import { enableWebhook } from './enableWebhook.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getWebhookStatus } from './getWebhookStatus.operation';
import { update } from './update.operation';

export const assistant = resource({
	// Resources are in alphabetical order. This name has what most people look for above the webhooks.
	name: 'Voice Assistant',
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
	default: 'getAll',
});
