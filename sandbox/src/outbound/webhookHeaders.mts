import { createHmac } from 'node:crypto';

import type { Assumptions } from '../contract/assumptions.mts';

/** The headers of what goes to the URL of a webhook (assumption: webhook-signature). @param body as it is sent */
export const webhookHeaders = (
	body: string,
	{ 'webhook-signature': signature }: Assumptions,
): { [name: string]: string } => ({
	'content-type': 'application/json',
	'user-agent': 'sandbox-webhooks',
	...(signature && {
		[signature.header]: createHmac('sha256', signature.secret).update(body).digest('hex'),
	}),
});
