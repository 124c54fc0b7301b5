import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import { storedStates } from '../support/storedExecutions.mts';
import { whileAnswering } from '../support/whileAnswering.mts';
import { A_CALL, type Example } from './example.mts';
import type { Gallery } from './gallery.mts';

/** For what 1,000 rows or calls start, which takes two minutes on a machine that does nothing else. */
const LIMIT_MS = 1_200_000;

/** The longest time in which n8n may answer nobody: a few seconds on such a machine. */
const SILENCE_LIMIT_MS = 30_000;

/**
 * Does what starts executions, waits until they have ended, and prints how long n8n answered nobody
 * meanwhile.
 *
 * @throws AssertionError when that was too long, or an execution failed
 */
export async function withHealthProbe(
	{ url, userFolder }: Gallery,
	{ id }: Example,
	start: () => Promise<unknown>,
	executions = 1,
): Promise<void> {
	// From the database, because n8n would be busy with the answer.
	const states = () => [...storedStates(userFolder, id).values()];
	const before = states().length;
	const work = async () => {
		await start();
		const ended = await waitFor(`${executions} executions to end`, LIMIT_MS, async () => {
			const own = await Promise.resolve(states().slice(before));
			const isOver = own.every((state) => state !== 'new' && state !== 'running');
			return isOver && own.length >= executions ? own : undefined;
		});
		assert.deepEqual(ended, Array(executions).fill('success'));
	};
	await whileAnswering(url, work, SILENCE_LIMIT_MS);
}

/** Runs an example with many rows, as {@link withHealthProbe} does. */
export async function runWithProbe(
	gallery: Gallery,
	example: Example,
	trigger: string,
): Promise<void> {
	const start = async () => await gallery.editor.start(example.id, trigger);
	await withHealthProbe(gallery, example, start);
}

/** Ends calls at the same moment, as {@link withHealthProbe} does. */
export async function endCallsWithProbe(
	gallery: Gallery,
	example: Example,
	executions: number,
): Promise<void> {
	const start = async () => {
		// The response comes after all deliveries. A busy n8n can need longer for these than the client waits.
		await example.control.advance(A_CALL).catch((error: unknown) => {
			if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
		});
	};
	await withHealthProbe(gallery, example, start, executions);
}
