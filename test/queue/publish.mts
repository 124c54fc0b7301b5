import assert from 'node:assert/strict';

import type { CredentialRef } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import { assistantRecord } from '../support/sandbox/calls.mts';
import { sendRequest } from '../support/sandbox/client.mts';
import type { JsonObject } from '../support/sandbox/contract.mts';
import type { Service } from '../support/sandbox/service.mts';
import type { QueueMetrics } from './metrics.mts';
import { ASSISTANT, TOKEN } from './seed.mts';
import type { Topology } from './topology.mts';
import { sendSmsForCalls } from './workflows.mts';

/** What the checks of the suite share. */
export interface QueueEnvironment {
	topology: Topology;
	service: Service;
	/** for the service, stored in n8n */
	credential: CredentialRef;
	metrics: QueueMetrics;
}

const readAssistant = async ({ service }: QueueEnvironment): Promise<JsonObject> =>
	await assistantRecord(service.as(TOKEN), ASSISTANT);

/** Publishes the workflow that sends an SMS for each call. @returns its id */
export async function publish({ require }: Checks, environment: QueueEnvironment): Promise<string> {
	const { editor, main, webhookUrl } = environment.topology;
	const { id } = await editor.createWorkflow(sendSmsForCalls(environment.credential));

	await require('the published trigger registers a URL of the webhook process', async () => {
		await editor.publish(id);
		const { webhook_url: url, is_webhook_active: active } = await readAssistant(environment);
		assert.ok(active === true && typeof url === 'string');
		assert.ok(url.startsWith(`${webhookUrl}/webhook/`), url);
		const urlAtMain = url.replace(webhookUrl, main.url);
		const { status } = await sendRequest(urlAtMain, { method: 'POST' });
		assert.equal(status, 404, 'Main accepts events, too.');
	});
	return id;
}

/** Unpublishes the workflow and checks that nothing is registered. */
export async function unpublish(environment: QueueEnvironment, workflowId: string): Promise<void> {
	await environment.topology.editor.unpublish(workflowId);
	const { webhook_url: url, is_webhook_active: active } = await readAssistant(environment);
	assert.deepEqual([url, active], [null, false]);
}
