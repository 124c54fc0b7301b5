import assert from 'node:assert/strict';

import { CALL } from '../support/workflows.mts';
import {
	createTriggerWorkflow,
	completeCall,
	readAssistant,
	readWebhookUrls,
	waitForExecution,
	waitUntilUnregistered,
} from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** Listening for a test event, and the ways to end it. */
export async function listening(environment: E2eEnvironment): Promise<void> {
	const { check, editor, url, carol } = environment;
	/** Listens with a new workflow, and checks that its test URL is registered. @returns its id */
	const listen = async (name: string, assistantId: number): Promise<string> => {
		const id = await createTriggerWorkflow(environment, name, assistantId, carol);
		await editor.listen(id, CALL);
		const { callCompleted } = await readWebhookUrls(environment, assistantId);
		assert.match(callCompleted ?? '', new RegExp(`^${url}/webhook-test/.+\\?token=[0-9a-f]+$`));
		return id;
	};

	await check('listening for a test event ends with the event', async () => {
		const { listenEvent } = ASSISTANTS;
		const id = await listen('Until an event', listenEvent);
		const callId = await completeCall(environment, listenEvent);
		const { execution } = await waitForExecution(environment, id, callId);
		assert.deepEqual([execution.status, execution.mode], ['success', 'manual']);
		await waitUntilUnregistered(environment, listenEvent);
	});

	// n8n ends it in the same way when two minutes are over.
	await check('listening for a test event can be canceled', async () => {
		const { listenCancel } = ASSISTANTS;
		const id = await listen('Until canceled', listenCancel);
		await editor.stopListening(id);
		await waitUntilUnregistered(environment, listenCancel);
		assert.equal((await editor.executionStates(id)).size, 0);
	});

	await check('listening is refused while production is live, which still delivers', async () => {
		const { listenLive } = ASSISTANTS;
		const id = await createTriggerWorkflow(environment, 'Live', listenLive, carol);
		await editor.publish(id);
		const before = await readAssistant(environment, listenLive);
		await assert.rejects(editor.listen(id, CALL), {
			n8nMessage: `This trigger is published and receives the completed calls of the assistant 'listenLive' (ID ${listenLive}), so it does not listen for a test event. Unpublish the workflow, or pin a call from 'Call → Get Many': https://github.com/voice-assistant-calling/n8n-nodes-voice-assistant-calling/blob/main/docs/triggers.md#test-runs`,
		});
		assert.deepEqual(await readAssistant(environment, listenLive), before);
		const callId = await completeCall(environment, listenLive);
		const { execution } = await waitForExecution(environment, id, callId);
		assert.equal(execution.mode, 'webhook');
		await editor.unpublish(id);
	});
}
