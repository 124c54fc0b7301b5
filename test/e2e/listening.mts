import assert from 'node:assert/strict';

import { Refused } from '../../host/api/rest.mts';
import type { Checks } from '../support/checks.mts';
import { CALL, trigger, workflow } from '../support/workflows.mts';
import { callFrom, executionOf, record, registered, untilUnregistered } from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import type { Credentials, Stage } from './testEnvironment.mts';

/** n8n listens for two minutes, and whoever asks cannot shorten that (n8n 2.0.0, 2.41.1). */
const LISTENING_MS = 120_000;
const LISTENING_LIMIT_MS = LISTENING_MS + 20_000;

const testAddress = (url: string): RegExp =>
	new RegExp(`^${url}/webhook-test/.+\\?token=[0-9a-f]+$`);

/** Listening for a test event, and how it ends. */
export async function listening(
	{ check }: Checks,
	stage: Stage,
	{ carol }: Credentials,
): Promise<void> {
	const { editor, url } = stage;

	const workflowAt = async (name: string, assistantId: number): Promise<string> =>
		(await editor.createWorkflow(workflow(name, [trigger('callCompleted', assistantId, carol)])))
			.id;

	await check('listening for a test event ends with the event', async () => {
		const { listenEvent } = ASSISTANTS;
		const id = await workflowAt('Listens until an event', listenEvent);
		await editor.listen(id, CALL);
		assert.match((await registered(stage, listenEvent)).callCompleted ?? '', testAddress(url));
		const callId = await callFrom(stage, listenEvent);
		const { execution } = await executionOf(stage, id, callId);
		assert.deepEqual([execution.status, execution.mode], ['success', 'manual']);
		await untilUnregistered(stage, listenEvent);
	});

	await check('listening for a test event can be canceled', async () => {
		const { listenCancel } = ASSISTANTS;
		const id = await workflowAt('Listens until canceled', listenCancel);
		await editor.listen(id, CALL);
		assert.match((await registered(stage, listenCancel)).callCompleted ?? '', testAddress(url));
		await editor.stopListening(id);
		await untilUnregistered(stage, listenCancel);
		assert.equal((await editor.executionStates(id)).size, 0);
	});

	await check('listening is refused while production is live, which still delivers', async () => {
		const { listenLive } = ASSISTANTS;
		const id = await workflowAt('Live', listenLive);
		await editor.publish(id);
		const before = await record(stage, listenLive);
		const refusal = await editor.listen(id, CALL).catch((error: unknown) => error);
		assert.ok(refusal instanceof Refused, `it was not refused: ${String(refusal)}`);
		assert.equal(
			refusal.words,
			`This trigger is published and receives the completed calls of the assistant 'listenLive' (ID ${listenLive}). Listening for a test event would disconnect it, so nothing was changed. Unpublish the workflow first (if it is not published, publish and unpublish it once), or pin a call from 'Call > Get Many' as the output of this trigger.`,
		);
		assert.deepEqual(await record(stage, listenLive), before);
		const callId = await callFrom(stage, listenLive);
		const { execution } = await executionOf(stage, id, callId);
		assert.equal(execution.mode, 'webhook');
		await editor.unpublish(id);
	});
}

/** Waits as long as n8n does, so it goes on beside the other checks. */
export async function listeningTimesOut(
	{ check }: Checks,
	stage: Stage,
	{ carol }: Credentials,
): Promise<void> {
	const { editor, url } = stage;
	const { listenTimeout } = ASSISTANTS;

	await check(
		'listening for a test event ends by itself after two minutes',
		async () => {
			const { id } = await editor.createWorkflow(
				workflow('Listens in vain', [trigger('callCompleted', listenTimeout, carol)]),
			);
			await editor.listen(id, CALL);
			assert.match((await registered(stage, listenTimeout)).callCompleted ?? '', testAddress(url));
			await untilUnregistered(stage, listenTimeout, LISTENING_LIMIT_MS);
			assert.equal((await editor.executionStates(id)).size, 0);
		},
		LISTENING_LIMIT_MS + 10_000,
	);
}
