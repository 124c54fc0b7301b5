import { randomUUID } from 'node:crypto';

import { saveCredential } from '../../host/n8n/provision.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { headersOf, midCallToolTrigger, respond, TOOL_CALL } from '../support/midCallTools.mts';
import { assistantRecord } from '../support/sandbox/calls.mts';
import { objectsOf } from '../support/sandbox/contract.mts';
import { ALICE, twoUsers } from '../support/sandbox/seed.mts';
import { startService } from '../support/sandbox/service.mts';
import { fields, node, workflow } from '../support/workflows.mts';
import type { BenchEnvironment } from './environment.mts';

/** One of Alice's. */
const ASSISTANT = 2;
const TEXT = 'At ten.';

/** The body of each answer. */
export const ANSWER = JSON.stringify({ answer: TEXT });

/** A published workflow that answers requests. */
export interface PublishedTool {
	/** its nodes, for the results */
	by: string;
	workflowId: string;
	url: string;
	headers: Record<string, string>;
}

/** Publishes this package's trigger with different nodes before the answer, and n8n's own nodes. */
export async function publishTools(environment: BenchEnvironment) {
	const { editor, url, cleanup } = environment;
	const [alice] = twoUsers().users;
	const sandbox = await startService({ seed: { users: [{ ...alice, tool_quota: 10 }] } });
	await cleanup.defer(async () => await sandbox.close());
	const account = { url: sandbox.url, token: ALICE };
	const credential = await saveCredential(editor, 'Tools', account);

	const publishTool = async (
		by: string,
		name: string,
		between?: Workflow['nodes'][number],
	): Promise<PublishedTool> => {
		const trigger = midCallToolTrigger([ASSISTANT], credential, { name, timeout: 30 });
		const answer = respond('Answer', TEXT, credential);
		const nodes = between === undefined ? [trigger, answer] : [trigger, between, answer];
		const links: Array<[string, string]> =
			between === undefined
				? [[TOOL_CALL, 'Answer']]
				: [
						[TOOL_CALL, between.name],
						[between.name, 'Answer'],
					];
		const { id } = await editor.createWorkflow(workflow(by, nodes, links));
		await editor.publish(id);
		const { tools } = await assistantRecord(sandbox.alice, ASSISTANT);
		const tool = objectsOf(tools).find((record) => record.name === name);
		return { by, workflowId: id, url: String(tool?.endpoint), headers: headersOf(tool) };
	};

	const own = await publishTool('this trigger → Respond', 'only');
	const others = [
		await publishTool(
			'this trigger → Edit Fields (an expression) → Respond',
			'with_fields',
			fields('Fields', { day: '={{ $json.tool }}' }),
		),
		await publishTool(
			'this trigger → Code → Respond',
			'with_code',
			node('Code', 'n8n-nodes-base.code', 2, { jsCode: 'return $input.all();' }),
		),
	];
	const waiting = await publishTool(
		'this trigger → Wait (1 s) → Respond',
		'with_wait',
		node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 1, unit: 'seconds' }),
	);
	const path = randomUUID();
	const nodes = [
		node('Webhook', 'n8n-nodes-base.webhook', 2, {
			httpMethod: 'POST',
			path,
			responseMode: 'responseNode',
			options: {},
		}),
		node('Answer', 'n8n-nodes-base.respondToWebhook', 1.1, {
			respondWith: 'json',
			responseBody: ANSWER,
			options: {},
		}),
	];
	const { id } = await editor.createWorkflow(workflow('Webhook', nodes, [['Webhook', 'Answer']]));
	await editor.publish(id);
	const webhook: PublishedTool = {
		by: 'Webhook → Respond to Webhook',
		workflowId: id,
		url: `${url}/webhook/${path}`,
		headers: {},
	};
	return {
		own,
		others,
		waiting,
		webhook,
		unpublish: async () => {
			for (const { workflowId } of [own, ...others, waiting, webhook])
				await editor.unpublish(workflowId);
		},
	};
}
