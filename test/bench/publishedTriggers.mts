import { randomUUID } from 'node:crypto';

import { saveCredential } from '../../host/n8n/provision.mts';
import { A_CALL, assistantRecord } from '../support/sandbox/calls.mts';
import { startService } from '../support/sandbox/service.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { CALL, node, trigger, workflow } from '../support/workflows.mts';
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

/** The triggers that get the same events. */
export interface PublishedTriggers {
	/** this package's trigger */
	own: PublishedTrigger;
	/** n8n's Webhook node */
	webhook: PublishedTrigger;
	/** a community trigger that does nothing else */
	minimal: PublishedTrigger;
	/** an event of the service */
	body: Record<string, unknown>;
	unpublish: () => Promise<void>;
}

/** Publishes the triggers. This package's registers at a sandbox, which delivers one event. */
export async function publishTriggers(environment: BenchEnvironment): Promise<PublishedTriggers> {
	const { editor, url } = environment;
	const sandbox = await startService();
	const account = { url: sandbox.url, token: ALICE };
	const credential = await saveCredential(editor, 'Sandbox', account);
	const publish = async (single: ReturnType<typeof node>): Promise<string> => {
		const { id } = await editor.createWorkflow(workflow(single.name, [single]));
		await editor.publish(id);
		return id;
	};

	const ownId = await publish(trigger('callCompleted', ASSISTANT, credential));
	const { webhook_url: ownUrl } = await assistantRecord(sandbox.alice, ASSISTANT);
	await sandbox.control.outbound({ assistant_id: ASSISTANT, to: '+4915112345690' });
	await sandbox.control.advance(A_CALL);
	const [delivery] = await sandbox.control.deliveries();
	if (delivery?.state !== 'delivered') throw new Error('The sandbox delivered no event to n8n.');

	const path = randomUUID();
	const webhookId = await publish(
		node('Webhook', 'n8n-nodes-base.webhook', 2, {
			httpMethod: 'POST',
			path,
			responseMode: 'onReceived',
			options: { noResponseBody: true },
		}),
	);
	const minimalPath = randomUUID();
	const minimalId = await publish({
		...node('Minimal', 'n8n-nodes-minimal-trigger.minimalTrigger', 2, {}),
		webhookId: minimalPath,
	});
	const production = `${url}/webhook`;
	return {
		own: { by: 'this node', workflowId: ownId, node: CALL, url: String(ownUrl) },
		webhook: {
			by: 'Webhook node',
			workflowId: webhookId,
			node: 'Webhook',
			url: `${production}/${path}`,
		},
		minimal: {
			by: 'minimal trigger',
			workflowId: minimalId,
			node: 'Minimal',
			url: `${production}/${minimalPath}/webhook`,
		},
		body: delivery.body,
		unpublish: async () => {
			for (const id of [ownId, webhookId, minimalId]) await editor.unpublish(id);
			await sandbox.close();
		},
	};
}
