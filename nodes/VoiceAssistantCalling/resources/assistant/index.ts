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
	name: 'Assistant',
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
