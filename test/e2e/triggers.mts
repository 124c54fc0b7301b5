import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { Workflow } from '../../host/api/workflow.mts';
import { asObject } from '../../sandbox/test/support/contract.mts';
import { notPublished } from '../support/trigger/notPublished.mts';
import { trigger, workflow } from '../support/workflows.mts';
import {
	createTriggerWorkflow,
	CLIENT_NUMBERS,
	completeCall,
	readAssistant,
	readWebhookUrls,
	waitForExecution,
} from './calls.mts';
import { ASSISTANTS, CAROL } from './seed.mts';
import { readStoredWorkflow, tokenIn } from './staticData.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const ELSEWHERE = 'https://crm.example.com/hooks/calls';

/** A URL of this trigger: ids of webhook, workflow and node, and a token. */
const productionUrl = (url: string): RegExp =>
	new RegExp(`^${url}/webhook/[0-9a-f-]{36}/\\w+/[0-9a-f-]{36}\\?token=[0-9a-f]{64}$`);

const EVENTS = [
	{ event: 'callCompleted', assistantId: ASSISTANTS.postCall, direction: 'outbound' },
	{ event: 'inboundCallCompleted', assistantId: ASSISTANTS.inbound, direction: 'inbound' },
] as const;

/** Published triggers. */
export async function triggers(environment: E2eEnvironment): Promise<void> {
	const { check, editor, url, carol, service } = environment;

	for (const { event, assistantId, direction } of EVENTS) {
		const name = `a trigger for ${event}: published, registered, started by a call, unregistered`;
		await check(name, async () => {
			const { id } = await editor.createWorkflow(
				workflow(event, [trigger(event, assistantId, carol, { leaveOut: [] })]),
			);
			await editor.publish(id);
			const { [event]: webhookUrl, ...others } = await readWebhookUrls(environment, assistantId);
			assert.match(webhookUrl ?? '', productionUrl(url));
			assert.deepEqual(Object.values(others), [null]);

			const callId = await completeCall(environment, assistantId, direction);
			const { execution, item } = await waitForExecution(environment, id, callId);
			assert.deepEqual([execution.status, execution.mode], ['success', 'webhook']);
			assert.partialDeepStrictEqual(item, {
				event,
				assistant_id: assistantId,
				id: callId,
				status: 'completed',
				client_phone_number: CLIENT_NUMBERS[direction],
				raw: { id: callId, status: 'completed' },
			});

			await editor.unpublish(id);
			assert.partialDeepStrictEqual(await readAssistant(environment, assistantId), {
				webhook_url: null,
				is_webhook_active: false,
				inbound_webhook_url: null,
			});
			await completeCall(environment, assistantId, direction);
			assert.equal((await editor.executionStates(id)).size, 1);
		});
	}

	await check('Replace Existing Webhook takes over, and puts URL and settings back', async () => {
		const { replaced } = ASSISTANTS;
		const { status } = await service
			.as(CAROL)
			.put(`/user/assistant/${replaced}`, { is_webhook_active: true, webhook_url: ELSEWHERE });
		assert.equal(status, 200);
		const before = await readAssistant(environment, replaced);
		const options = { replaceExisting: true, recording: 'include' };
		const { id } = await editor.createWorkflow(
			workflow('Replaced', [trigger('callCompleted', replaced, carol, { options })]),
		);
		await editor.publish(id);
		const present = await readAssistant(environment, replaced);
		assert.equal(present.include_recording_in_webhook, true);
		const callId = await completeCall(environment, replaced);
		await waitForExecution(environment, id, callId);
		const seen = await readStoredWorkflow(environment, id);
		assert.match(seen, /sealed\\*".*tokenHash|tokenHash.*sealed\\*"/);
		assert.doesNotMatch(seen, /crm\.example|hooks\/calls/);
		assert.ok(!seen.includes(tokenIn(String(present.webhook_url))));

		await editor.unpublish(id);
		const after = await readAssistant(environment, replaced);
		assert.deepEqual(after, before);
	});

	await check('a workflow and its copies run side by side', async () => {
		const copied = workflow('Copied', [trigger('callCompleted', ASSISTANTS.copyA, carol)]);
		const webhookId = randomUUID();
		const copies: Array<{ assistantId: number; id: string }> = [];
		for (const [assistantId, nodeIds] of [
			[ASSISTANTS.copyA, 'kept'],
			[ASSISTANTS.copyB, 'renewed'],
			[ASSISTANTS.copyC, 'kept'],
		] as const) {
			const copy = copyWorkflow(copied, assistantId, webhookId, nodeIds);
			const { id } = await editor.createWorkflow(copy);
			await editor.publish(id);
			copies.push({ assistantId, id });
		}
		for (const { assistantId, id } of copies) {
			const callId = await completeCall(environment, assistantId);
			const { execution, item } = await waitForExecution(environment, id, callId);
			assert.equal(execution.status, 'success', execution.error);
			assert.equal(item.assistant_id, assistantId);
			assert.equal((await editor.executionStates(id)).size, 1);
		}
		for (const { id } of copies) await editor.unpublish(id);
	});
}

/**
 * Copies a workflow for another assistant. All copies keep the webhook id. The editor renews the node
 * ids, the public API and the command line keep them (n8n.md#copied-ids).
 */
function copyWorkflow(
	copied: Workflow,
	assistantId: number,
	webhookId: string,
	nodeIds: 'kept' | 'renewed',
): Workflow {
	const nodes = copied.nodes.map((node) => ({
		...node,
		...(nodeIds === 'renewed' && { id: randomUUID() }),
		webhookId,
		parameters: {
			...asObject(node.parameters, 'parameters'),
			assistantId: { __rl: true, mode: 'id', value: String(assistantId) },
		},
	}));
	return { ...copied, nodes };
}

/** Publishing that is refused. n8n 2.41 tries for 15 s. */
export async function refusedPublish(environment: E2eEnvironment): Promise<void> {
	const { check, editor, service, carol } = environment;
	const { taken, beforeRefusal } = ASSISTANTS;

	await check('of two triggers published at the same moment, one is refused', async () => {
		const { sameMoment } = ASSISTANTS;
		const ids = [
			await createTriggerWorkflow(environment, 'Same moment, first', sameMoment, carol),
			await createTriggerWorkflow(environment, 'Same moment, second', sameMoment, carol),
		];
		const results = await Promise.allSettled(ids.map(async (id) => await editor.publish(id)));
		const [refused] = results.flatMap((result) =>
			result.status === 'rejected' ? [String(result.reason)] : [],
		);
		assert.match(
			refused ?? 'Both were published.',
			/already go to the workflow 'Same moment, (first|second)' \(\/workflow\/\w+\) on this n8n/,
		);
		const published = ids[results.findIndex(({ status }) => status === 'fulfilled')];
		assert.ok(published !== undefined, 'Both were refused.');

		const callId = await completeCall(environment, sameMoment);
		await waitForExecution(environment, published, callId);
		await editor.unpublish(published);
		const urls = await readWebhookUrls(environment, sameMoment);
		assert.equal(urls.callCompleted, null);
	});

	const refusedBeside =
		'publishing is refused beside another system, which keeps its calls, and the version before gets none';
	await check(refusedBeside, async () => {
		const response = await service
			.as(CAROL)
			.put(`/user/assistant/${taken}`, { is_webhook_active: true, webhook_url: ELSEWHERE });
		assert.equal(response.status, 200);
		const before = await readAssistant(environment, taken);
		const id = await createTriggerWorkflow(environment, 'Taken', beforeRefusal, carol);
		await editor.publish(id);
		const published = await readWebhookUrls(environment, beforeRefusal);
		assert.match(published.callCompleted ?? '', productionUrl(environment.url));
		const stored = await editor.workflow(id);
		const { parameters } = trigger('callCompleted', taken, carol);
		const nodes = stored.nodes.map((node) => ({ ...node, parameters }));
		await editor.saveWorkflow(id, { ...stored, nodes });
		await assert.rejects(editor.publish(id), {
			n8nMessage: notPublished(
				`The completed calls of the assistant 'taken' (ID ${taken}) already go to the host crm.example.com. Use the Poll Trigger in this workflow, choose another assistant, or switch on 'Replace Existing Webhook'.`,
				`'beforeRefusal' (ID ${beforeRefusal})`,
			),
		});
		assert.deepEqual(await readAssistant(environment, taken), before);
		const left = await readWebhookUrls(environment, beforeRefusal);
		assert.equal(left.callCompleted, null);
		await editor.unpublish(id);
		assert.deepEqual(await readAssistant(environment, taken), before);
	});
}
