import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import { trigger, workflow } from '../support/workflows.mts';
import { callFrom, executionOf, registered } from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import type { Credentials, Stage } from './testEnvironment.mts';

/** A published workflow while n8n is restarted. */
export async function restart(
	{ check }: Checks,
	stage: Stage,
	{ carol }: Credentials,
): Promise<void> {
	const { editor } = stage;

	await check('a published workflow still receives calls after a restart of n8n', async () => {
		const { restart: assistantId } = ASSISTANTS;
		const { id } = await editor.createWorkflow(
			workflow('Restart', [trigger('callCompleted', assistantId, carol)]),
		);
		await editor.publish(id);
		const before = await registered(stage, assistantId);
		await stage.stop('politely');
		await stage.startAgain();
		assert.deepEqual(await registered(stage, assistantId), before);
		const callId = await callFrom(stage, assistantId);
		const { execution } = await executionOf(stage, id, callId);
		assert.equal(execution.status, 'success');
		await editor.unpublish(id);
		assert.equal((await registered(stage, assistantId)).callCompleted, null);
	});
}
