import assert from 'node:assert/strict';

import type { Service } from '../support/sandbox/service.mts';

/**
 * Sends n8n a webhook that the sandbox would not send: one that it has delivered, with other fields, as
 * another service may send them.
 *
 * @param fields of the body, in place of those of the first delivery
 */
export async function postDelivery(
	{ control }: Pick<Service, 'control'>,
	fields: Record<string, unknown>,
): Promise<void> {
	const [first] = await control.deliveries();
	assert.ok(first, 'The service has delivered nothing.');
	const { status } = await fetch(first.url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ ...first.body, ...fields }),
	});
	assert.equal(status, 200);
}
