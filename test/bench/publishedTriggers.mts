import { randomUUID } from 'node:crypto';

import { saveCredential } from '../../host/n8n/provision.mts';
import { A_CALL, assistantRecord } from '../support/sandbox/calls.mts';
import { startService } from '../support/sandbox/service.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { node, trigger, workflow } from '../support/workflows.mts';
import type { BenchEnvironment } from './environment.mts';

/** One of Alice's. */
const ASSISTANT = 1;

/** A published workflow that consists of one trigger. */
export interface PublishedTrigger {
	/** the trigger's name in the results: "this node" */
	by: string;
	workflowId: string;
	/** name of the node */
	node: string;
	/** the webhook that starts the workflow */
	url: string;
}

/** This package's trigger, n8n's Webhook node and the minimal trigger, and an event for them. */
export type PublishedTriggers = Awaited<ReturnType<typeof publishTriggers>>;

/** Publishes the triggers. This package's registers at a sandbox, which delivers one event. */
export async function publishTriggers(environment: BenchEnvironment) {
	const { editor, url, cleanup } = environment;
	const sandbox = await startService();
	await cleanup.defer(async () => await sandbox.close());
	const account = { url: sandbox.url, token: ALICE };
	const credential = await saveCredential(editor, 'Sandbox', account);
	const publish = async (
		by: string,
		only: ReturnType<typeof node>,
		path: string,
	): Promise<PublishedTrigger> => {
		const { id } = await editor.createWorkflow(workflow(only.name, [only]));
		await editor.publish(id);
		return { by, workflowId: id, node: only.name, url: `${url}/webhook/${path}` };
	};

	const own = await publish('this node', trigger('callCompleted', ASSISTANT, credential), '');
	const { webhook_url: ownUrl } = await assistantRecord(sandbox.alice, ASSISTANT);
	await sandbox.control.outbound({ assistant_id: ASSISTANT, to: '+4915112345690' });
	await sandbox.control.advance(A_CALL);
	const [delivery] = await sandbox.control.deliveries();
	if (delivery?.state !== 'delivered') throw new Error('The sandbox delivered no event to n8n.');

	const path = randomUUID();
	const options = { noResponseBody: true };
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', options };
	const webhookNode = node('Webhook', 'n8n-nodes-base.webhook', 2, parameters);
	const webhook = await publish('Webhook node', webhookNode, path);

	const webhookId = randomUUID();
	const minimalNode = node('Minimal', 'n8n-nodes-minimal-trigger.minimalTrigger', 2, {});
	const minimal = await publish(
		'minimal trigger',
		{ ...minimalNode, webhookId },
		`${webhookId}/webhook`,
	);
	return {
		own: { ...own, url: String(ownUrl) },
		webhook,
		minimal,
		body: delivery.body,
		unpublish: async () => {
			for (const { workflowId } of [own, webhook, minimal]) await editor.unpublish(workflowId);
		},
	};
}
