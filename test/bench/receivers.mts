import { randomUUID } from 'node:crypto';

import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import { A_CALL, assistantRecord } from '../support/sandbox/calls.mts';
import { startService } from '../support/sandbox/service.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { CALL, node, trigger, workflow } from '../support/workflows.mts';
import type { BenchEnvironment } from './environment.mts';

/** One of Alice's. */
const ASSISTANT = 1;

/** A published workflow that consists of one trigger. */
export interface Receiver {
	/** the trigger: "this node" */
	by: string;
	workflowId: string;
	/** name of the trigger's node */
	trigger: string;
	/** the address that starts it */
	url: string;
}

/** The workflows that events are delivered to. */
export interface Receivers {
	/** this package's trigger, registered at the service */
	own: Receiver;
	/** n8n's Webhook node */
	webhook: Receiver;
	/** the least that n8n allows a community trigger to do */
	minimal: Receiver;
	/** what the service sends when a call completes */
	body: Record<string, unknown>;
	unpublish: () => Promise<void>;
}

/** Publishes them. The service that the trigger registers at is the sandbox, which sends one event. */
export async function publishReceivers(environment: BenchEnvironment): Promise<Receivers> {
	const { editor, n8n } = environment;
	const sandbox = await startService();
	const credential = await editor.saveCredential(CREDENTIAL_TYPE, 'Sandbox', {
		baseUrl: sandbox.url,
		apiToken: ALICE,
	});
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
	if (delivery?.state !== 'delivered') throw new Error('The service delivered no event to n8n.');

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
	const production = `${n8n().url}/webhook`;
	return {
		own: { by: 'this node', workflowId: ownId, trigger: CALL, url: String(ownUrl) },
		webhook: {
			by: 'Webhook node',
			workflowId: webhookId,
			trigger: 'Webhook',
			url: `${production}/${path}`,
		},
		minimal: {
			by: 'minimal trigger',
			workflowId: minimalId,
			trigger: 'Minimal',
			url: `${production}/${minimalPath}/webhook`,
		},
		body: delivery.body,
		unpublish: async () => {
			for (const id of [ownId, webhookId, minimalId]) await editor.unpublish(id);
			await sandbox.close();
		},
	};
}
