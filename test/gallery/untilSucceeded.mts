import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import type { GalleryEnvironment } from './environment.mts';
import type { OpenExample } from './openExample.mts';

const LIMIT_MS = 60_000;

/**
 * Waits until an example has run so many times, those by hand included.
 *
 * @throws Error when a run has failed, or there are more
 */
export async function untilSucceeded(
	{ editor }: GalleryEnvironment,
	{ id, workflow }: OpenExample,
	count: number,
): Promise<void> {
	const what = `${count} executions of "${workflow.name}" to end`;
	const states = await waitFor(what, LIMIT_MS, async () => {
		const all = [...(await editor.executionStates(id)).values()];
		const isOver = !all.includes('new') && !all.includes('running');
		return isOver && all.length >= count ? all : undefined;
	});
	assert.deepEqual(states, Array<string>(count).fill('success'));
}
