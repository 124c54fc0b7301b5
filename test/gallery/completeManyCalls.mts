import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { NoResponse } from '../../host/api/rest.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { GalleryEnvironment } from './environment.mts';
import type { OpenExample } from './openExample.mts';
import { LARGE_RUN_LIMIT_MS, withHealthProbe } from './withHealthProbe.mts';

/**
 * Moves the clock until all running calls are over, waits until n8n has run what they start, and prints
 * how long n8n answered nobody meanwhile.
 *
 * @throws AssertionError when an execution failed, or n8n answered nobody for too long
 * @throws Error when the executions take too long
 */
export async function completeManyCalls(
	environment: Pick<GalleryEnvironment, 'editor' | 'url'>,
	{ id, service }: OpenExample,
): Promise<void> {
	const { editor } = environment;
	await withHealthProbe(environment, async () => {
		await endAllCalls(service.controlUrl);
		await waitFor('n8n to run the deliveries', LARGE_RUN_LIMIT_MS, async () => {
			try {
				const states = [...(await editor.executionStates(id)).values()];
				for (const failed of ['error', 'crashed', 'canceled']) {
					assert.ok(!states.includes(failed), `An execution ended as ${failed}.`);
				}
				return states.every((state) => state === 'success') ? true : undefined;
			} catch (error) {
				if (error instanceof NoResponse) return undefined;
				throw error;
			}
		});
	});
}

/**
 * Moves the clock. The response comes after all deliveries. For these a busy n8n can need minutes:
 * longer than the client of the control API waits, and longer than fetch does (300 s).
 */
async function endAllCalls(controlUrl: string): Promise<void> {
	const sent = request(`${controlUrl}/clock`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		signal: AbortSignal.timeout(LARGE_RUN_LIMIT_MS),
	});
	sent.end(JSON.stringify({ advance: 'PT3M' }));
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	assert.equal(response.statusCode, 200, await text(response));
}
