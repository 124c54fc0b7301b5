import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import {
	createTriggerWorkflow,
	completeCall,
	readWebhookUrls,
	waitForExecution,
} from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** A published workflow while n8n is restarted. */
export async function restart({ check }: Checks, environment: E2eEnvironment): Promise<void> {
	const { editor, carol } = environment;

	await check('a published workflow still receives calls after a restart of n8n', async () => {
		const { restart: assistantId } = ASSISTANTS;
		const id = await createTriggerWorkflow(environment, 'Restart', assistantId, carol);
		await editor.publish(id);
		const before = await readWebhookUrls(environment, assistantId);
		await environment.restart();
		assert.deepEqual(await readWebhookUrls(environment, assistantId), before);
		const callId = await completeCall(environment, assistantId);
		const { execution } = await waitForExecution(environment, id, callId);
		assert.equal(execution.status, 'success');
		await editor.unpublish(id);
		assert.equal((await readWebhookUrls(environment, assistantId)).callCompleted, null);
	});
}
