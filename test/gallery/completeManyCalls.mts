import assert from 'node:assert/strict';

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
		// All deliveries to a busy n8n can take longer than the client of the control API waits.
		const moved = await fetch(`${service.controlUrl}/clock`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ advance: 'PT3M' }),
		});
		assert.ok(moved.ok, await moved.text());
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
