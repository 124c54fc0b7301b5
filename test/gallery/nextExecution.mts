import assert from 'node:assert/strict';

import type { Execution } from '../../host/api/execution.mts';
import type { GalleryEnvironment } from './environment.mts';
import type { OpenExample } from './openExample.mts';

/** Does what starts an example once, and waits for the end. @returns the execution */
export async function nextExecution(
	{ editor }: Pick<GalleryEnvironment, 'editor'>,
	example: OpenExample,
	start: () => Promise<unknown>,
): Promise<Execution> {
	const { size } = await editor.executionStates(example.id);
	await start();
	const last = (await example.executions(size + 1)).at(-1);
	assert.ok(last, 'Nothing ran.');
	return last;
}
