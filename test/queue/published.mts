import assert from 'node:assert/strict';

import type { CredentialRef } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import { assistantRecord } from '../support/sandbox/calls.mts';
import { sendRequest } from '../support/sandbox/client.mts';
import type { JsonObject } from '../support/sandbox/contract.mts';
import type { Service } from '../support/sandbox/service.mts';
import type { Figures } from './metrics.mts';
import { ASSISTANT, TOKEN } from './seed.mts';
import type { Topology } from './topology.mts';
import { answerCalls } from './workflows.mts';

/** What the story is played with. */
export interface Parts {
	topology: Topology;
	service: Service;
	/** for the service, stored in n8n */
	credential: CredentialRef;
	figures: Figures;
}

const assistant = async ({ service }: Parts): Promise<JsonObject> =>
	await assistantRecord(service.as(TOKEN), ASSISTANT);

/** Publishes the workflow that answers calls. @returns its id */
export async function published({ require }: Checks, parts: Parts): Promise<string> {
	const { editor, main, webhookUrl } = parts.topology;
	const { id } = await editor.createWorkflow(answerCalls(parts.credential));

	await require('the published trigger registers the address of the webhook process', async () => {
		await editor.publish(id);
		const { webhook_url: url, is_webhook_active: active } = await assistant(parts);
		assert.ok(active === true && typeof url === 'string');
		assert.ok(url.startsWith(`${webhookUrl}/webhook/`), url);
		const atMain = url.replace(webhookUrl, main.url);
		const { status } = await sendRequest(atMain, { method: 'POST' });
		assert.equal(status, 404, 'Main takes events, too.');
	});
	return id;
}

/** Unpublishes the workflow again. */
export async function unpublished(parts: Parts, workflowId: string): Promise<void> {
	await parts.topology.editor.unpublish(workflowId);
	const { webhook_url: url, is_webhook_active: active } = await assistant(parts);
	assert.deepEqual([url, active], [null, false]);
}
