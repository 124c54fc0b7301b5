import assert from 'node:assert/strict';

import type { CredentialRef } from '../../host/api/workflow.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { sendRequest } from '../../sandbox/test/support/client.mts';
import { startService, type Service } from '../../sandbox/test/support/service.mts';
import type { Checks } from '../support/checks.mts';
import type { Programs } from './programs.mts';
import { ASSISTANT, seed, TOKEN } from './seed.mts';
import { startTopology, type Topology } from './topology.mts';
import { sendSmsForCalls } from './workflows.mts';

/** Longer than a response takes on a busy machine: only refused deliveries fail. */
const WEBHOOK_TIMEOUT = 'PT60S';
const START_LIMIT_MS = 10 * 60_000;

/** What the checks of the suite share. */
export interface QueueEnvironment {
	topology: Topology;
	service: Service;
	/** for the service, stored in n8n */
	credential: CredentialRef;
	/** measurements for docs/scaling.md */
	metrics: Map<string, string>;
}

/** Starts n8n in queue mode, and the service of its credential. */
export async function startQueueEnvironment(
	checks: Checks,
	programs: Programs,
): Promise<QueueEnvironment> {
	const topology = await checks.require(
		'PostgreSQL, Redis, HAProxy, main, webhook process and two workers start',
		async () => await startTopology(checks, programs),
		START_LIMIT_MS,
	);
	const assume = { 'webhook-timeout': WEBHOOK_TIMEOUT };
	const service = await checks.cleanup.use(startService({ seed: seed(), assume }));
	const { url } = service;
	const credential = await saveCredential(topology.editor, 'Queue', { url, token: TOKEN });
	return { topology, service, credential, metrics: new Map() };
}

const readWebhook = async ({ service }: QueueEnvironment) => {
	const assistant = await assistantRecord(service.as(TOKEN), ASSISTANT);
	return { url: assistant.webhook_url, isActive: assistant.is_webhook_active };
};

/** Publishes the workflow that sends an SMS for each call. @returns its id */
export async function publish({ require }: Checks, environment: QueueEnvironment): Promise<string> {
	const { editor, main, webhookUrl } = environment.topology;
	const { id } = await editor.createWorkflow(sendSmsForCalls(environment.credential));
	await require('the published trigger registers a URL of the webhook process', async () => {
		await editor.publish(id);
		const { url, isActive } = await readWebhook(environment);
		assert.ok(isActive === true && typeof url === 'string');
		assert.ok(url.startsWith(`${webhookUrl}/webhook/`), url);
		const urlAtMain = url.replace(webhookUrl, main.url);
		const { status } = await sendRequest(urlAtMain, { method: 'POST' });
		assert.equal(status, 404, 'Main accepts events, too.');
	});
	return id;
}

/** Unpublishes the workflow. */
export async function unpublish(
	{ check }: Checks,
	environment: QueueEnvironment,
	workflowId: string,
): Promise<void> {
	await check('unpublished, nothing is registered any more', async () => {
		await environment.topology.editor.unpublish(workflowId);
		assert.deepEqual(await readWebhook(environment), { url: null, isActive: false });
	});
}

/** The time since a moment, as text: "12.3 s". @param begin by the clock of `performance` */
export const inSeconds = (begin: number): string =>
	`${((performance.now() - begin) / 1000).toFixed(1)} s`;
