import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
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

/** n8n always listens for two minutes (n8n 2.0.0, 2.41.1). */
const LISTENING_MS = 120_000;
const LISTENING_LIMIT_MS = LISTENING_MS + 20_000;

/** Listens with a new workflow, and checks that its test URL is registered. @returns its id */
async function listen(
	environment: E2eEnvironment,
	name: string,
	assistantId: number,
): Promise<string> {
	const { editor, url, carol } = environment;
	const id = await createTriggerWorkflow(environment, name, assistantId, carol);
	await editor.listen(id, CALL);
	const { callCompleted } = await readWebhookUrls(environment, assistantId);
	assert.match(callCompleted ?? '', new RegExp(`^${url}/webhook-test/.+\\?token=[0-9a-f]+$`));
	return id;
}

/** Listening for a test event, and all ways to end it. */
export async function listening({ check }: Checks, environment: E2eEnvironment): Promise<void> {
	const { editor, carol } = environment;

	await check('listening for a test event ends with the event', async () => {
		const { listenEvent } = ASSISTANTS;
		const id = await listen(environment, 'Until an event', listenEvent);
		const callId = await completeCall(environment, listenEvent);
		const { execution } = await waitForExecution(environment, id, callId);
		assert.deepEqual([execution.status, execution.mode], ['success', 'manual']);
		await waitUntilUnregistered(environment, listenEvent);
	});

	await check('listening for a test event can be canceled', async () => {
		const { listenCancel } = ASSISTANTS;
		const id = await listen(environment, 'Until canceled', listenCancel);
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
			n8nMessage: `This trigger is published and receives the completed calls of the assistant 'listenLive' (ID ${listenLive}), so it does not listen for a test event. Unpublish the workflow, or pin a call from 'Call > Get Many': https://github.com/voice-assistant-calling/n8n-nodes-voice-assistant-calling/blob/main/docs/triggers.md#test-runs`,
		});
		assert.deepEqual(await readAssistant(environment, listenLive), before);
		const callId = await completeCall(environment, listenLive);
		const { execution } = await waitForExecution(environment, id, callId);
		assert.equal(execution.mode, 'webhook');
		await editor.unpublish(id);
	});
}

/** Takes two minutes, so it runs beside the other checks. */
export async function listeningTimesOut(
	{ check }: Checks,
	environment: E2eEnvironment,
): Promise<void> {
	const { editor } = environment;
	const { listenTimeout } = ASSISTANTS;

	await check(
		'listening for a test event ends by itself after two minutes',
		async () => {
			const id = await listen(environment, 'In vain', listenTimeout);
			await waitUntilUnregistered(environment, listenTimeout, LISTENING_LIMIT_MS);
			assert.equal((await editor.executionStates(id)).size, 0);
		},
		LISTENING_LIMIT_MS + 10_000,
	);
}
