import assert from 'node:assert/strict';

import type { Workflow } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample, type OpenExample } from './openExample.mts';

/** A published example. */
export interface PublishedExample extends OpenExample {
	/** Waits until so many more executions have ended. @throws Error when one has failed, or there are more */
	untilEnded: (more: number) => Promise<void>;
}

/**
 * Imports an example, runs its set-up twice, because the second one must change nothing, and publishes it.
 *
 * @param name of the workflow
 * @param change as in {@link openExample}
 */
export async function publishExample(
	checks: Checks,
	environment: GalleryEnvironment,
	name: string,
	change?: (workflow: Workflow) => Workflow,
): Promise<PublishedExample> {
	const example = await openExample(checks, environment, name, change);
	await example.run('Set up once');
	await example.run('Set up once');
	await example.publish();
	let ended = 2;
	const untilEnded = async (more: number) => {
		ended += more;
		const statuses = (await example.executions(ended)).map(({ status }) => status);
		assert.deepEqual(statuses, Array<string>(ended).fill('success'));
	};
	return { ...example, untilEnded };
}
