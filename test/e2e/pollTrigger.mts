import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { startService, type Service } from '../support/sandbox/service.mts';
import { pollTrigger, workflow } from '../support/workflows.mts';
import { CLIENT_NUMBERS, completeCall, waitForExecution } from './calls.mts';
import { ASSISTANTS, CAROL, seed } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const POLL_LIMIT_MS = 60_000;

/** Another service, so that all requests for calls are polls. Its clock agrees with n8n's. */
export async function startPolledService(cleanup: Checks['cleanup']): Promise<Service> {
	const clock = { mode: 'manual', now: new Date().toISOString() } as const;
	return await cleanup.use(startService({ seed: seed(), clock }));
}

async function pollCount({ control }: Service): Promise<number> {
	const requests = await control.requests();
	return requests.filter(({ operation, status }) => operation === 'listCalls' && status === 200)
		.length;
}

/** Waits for the poll that something causes, such as a start of n8n. */
export async function untilNextPoll(service: Service, work: () => Promise<void>): Promise<void> {
	const before = await pollCount(service);
	await work();
	await waitFor('n8n to poll', POLL_LIMIT_MS, async () =>
		(await pollCount(service)) > before ? true : undefined,
	);
}

/**
 * A published poll trigger. n8n polls when it publishes the workflow and when it starts, and then once a
 * minute.
 */
export async function pollTriggerChecks(
	{ check, cleanup }: Checks,
	environment: E2eEnvironment,
): Promise<void> {
	const { editor } = environment;
	const { poll: assistantId } = ASSISTANTS;
	const service = await startPolledService(cleanup);
	const credential = await saveCredential(editor, 'Carol, poll', {
		url: service.url,
		token: CAROL,
	});
	const { id } = await editor.createWorkflow(
		workflow('Poll', [pollTrigger(assistantId, credential)]),
	);
	const restart = async () => {
		await environment.restart();
	};

	await check('a poll trigger starts once for a call that ended while n8n was down', async () => {
		const past = await completeCall({ service }, assistantId);
		await untilNextPoll(service, async () => {
			await editor.publish(id);
		});
		await environment.n8n().stop();
		const callId = await completeCall({ service }, assistantId);
		await untilNextPoll(service, restart);
		const { execution, item } = await waitForExecution(environment, id, callId);
		assert.deepEqual([execution.status, execution.mode], ['success', 'trigger']);
		assert.partialDeepStrictEqual(item, {
			event: 'callCompleted',
			assistant_id: assistantId,
			id: callId,
			status: 'completed',
			outcome: 'answered',
			client_phone_number: CLIENT_NUMBERS.outbound,
		});
		assert.notEqual(callId, past);
		assert.equal((await editor.executionStates(id)).size, 1);
	});

	await check('a poll trigger starts no call again after another restart of n8n', async () => {
		await untilNextPoll(service, restart);
		const callId = await completeCall({ service }, assistantId);
		await untilNextPoll(service, restart);
		await waitForExecution(environment, id, callId);
		assert.equal((await editor.executionStates(id)).size, 2);
	});

	await check('an unpublished poll trigger does not poll', async () => {
		await editor.unpublish(id);
		const before = await pollCount(service);
		await completeCall({ service }, assistantId);
		await environment.restart();
		assert.equal(await pollCount(service), before);
		assert.equal((await editor.executionStates(id)).size, 2);
	});

	await check('a poll trigger refuses a credential that needs an item, and says so', async () => {
		const { url } = service;
		const perItem = await saveCredential(editor, 'Per item', { url, token: '={{ $json.token }}' });
		const { id: other } = await editor.createWorkflow(
			workflow('Per item', [pollTrigger(assistantId, perItem)]),
		);
		await assert.rejects(editor.publish(other), /an expression that needs an item/);
		await editor.unpublish(other);
	});
}
