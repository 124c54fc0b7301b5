import assert from 'node:assert/strict';

import { NoResponse } from '../../host/api/rest.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { GalleryEnvironment } from './environment.mts';
import type { OpenExample } from './openExample.mts';
import { LARGE_RUN_LIMIT_MS, withHealthProbe } from './withHealthProbe.mts';

/**
 * Runs an example with many rows, and prints how long n8n answered nobody meanwhile.
 *
 * @throws AssertionError when the execution failed, or n8n answered nobody for too long
 */
export async function runWithProbe(
	environment: Pick<GalleryEnvironment, 'editor' | 'url'>,
	{ id: workflowId }: OpenExample,
	trigger: string,
	longestSilenceMs?: number,
): Promise<void> {
	const { editor } = environment;
	await withHealthProbe(
		environment,
		async () => {
			const id = await editor.start(workflowId, trigger);
			const { status, error } = await waitFor(
				'the rows to be done',
				LARGE_RUN_LIMIT_MS,
				async () => {
					try {
						return await editor.execution(id);
					} catch (failure) {
						if (failure instanceof NoResponse) return undefined;
						throw failure;
					}
				},
			);
			assert.equal(status, 'success', error);
		},
		longestSilenceMs,
	);
}
