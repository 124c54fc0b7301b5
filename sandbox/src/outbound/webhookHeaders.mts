import { createHmac } from 'node:crypto';

import type { Assumptions } from '../contract/assumptions.mts';
import type { WebhookContent } from '../provider/webhookContent.mts';

/** The headers of what goes to the URL of a webhook (assumption: webhook-signature). */
export const webhookHeaders = (
	{ type, text }: WebhookContent,
	{ 'webhook-signature': signature }: Assumptions,
): { [name: string]: string } => ({
	...(type !== undefined && { 'content-type': type }),
	'user-agent': 'sandbox-webhooks',
	...(signature && {
		[signature.header]: createHmac('sha256', signature.secret).update(text).digest('hex'),
	}),
});
