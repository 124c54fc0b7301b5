import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { getItems } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { sendRequest } from '../../sandbox/test/support/client.mts';
import { action, trigger, workflow } from '../support/workflows.mts';
import { createTriggerWorkflow } from './calls.mts';
import { runNode } from './runNode.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

const ELSEWHERE = 'https://crm.example.com/hooks/inbound';
const STATUS = 'Status';
const REFUSAL_LIMIT_MS = 30_000;

/** Longer than a publish waits, and shorter than a request of the suite may take. */
const PAUSE = { status: 429, headers: { 'Retry-After': '22' }, times: 1 };

/** The service wants no request for a while as workflows are published and unpublished. */
export async function longPause(environment: E2eEnvironment): Promise<void> {
	const { check, editor, userFolder } = environment;
	// Another service, because its faults hit any assistant.
	const { alice, aliceRef, control } = await startOwnService(environment, 'pauses');
	const inboundUrl = async (id: number) => (await assistantRecord(alice, id)).inbound_webhook_url;
	const replacing = { options: { replaceExisting: true } };
	/** A published workflow, of which this is the last node, that replaces the URL of another system. */
	const publishReplacing = async (name: string, ...others: Parameters<typeof workflow>[1]) => {
		const own = { ...trigger('inboundCallCompleted', 1, aliceRef, replacing), name: 'Inbound' };
		const { id } = await editor.createWorkflow(workflow(name, [...others, own]));
		await editor.publish(id);
		assert.notEqual(await inboundUrl(1), ELSEWHERE);
		return id;
	};
	const body = { assistant_id: 1, webhook_url: ELSEWHERE };
	const { status } = await alice.post('/user/assistants/enable-inbound-webhook', body);
	assert.equal(status, 200);

	await check('unpublishing puts all back while another publish is refused', async () => {
		const unpublished = await publishReplacing('Unpublished');
		const own = String(await inboundUrl(1));
		await control.fault({
			operation: 'updateAssistant',
			status: 429,
			headers: { 'Retry-After': '60' },
			times: 1,
		});
		const published = await createTriggerWorkflow(environment, 'Published', 1, aliceRef);
		const publishing = Promise.allSettled([editor.publish(published)]);
		await waitFor('the refusal', REFUSAL_LIMIT_MS, async () =>
			(await control.requests()).some((request) => request.status === 429) ? true : undefined,
		);
		await editor.unpublish(unpublished);
		const [publish] = await publishing;
		assert.equal(await inboundUrl(1), ELSEWHERE);
		assert.equal((await sendRequest(own, { method: 'POST', body: '{}' })).status, 404);

		// n8n 2.41 tries again, and n8n 2.0 leaves that to the user.
		if (publish.status === 'rejected') await editor.publish(published);
		await editor.unpublish(published);
		assert.equal((await assistantRecord(alice, 1)).webhook_url, null);
	});

	await check('unpublishing waits for a pause, and removes both triggers', async () => {
		const other = trigger('callCompleted', 1, aliceRef);
		const id = await publishReplacing('Two triggers', other);
		// Whichever trigger comes first, the other one waits for it and then for a pause of its own.
		await control.fault({ operation: 'disableWebhook', ...PAUSE });
		await control.fault({ operation: 'enableInboundWebhook', ...PAUSE });
		await editor.unpublish(id);
		assert.partialDeepStrictEqual(await assistantRecord(alice, 1), {
			webhook_url: null,
			is_webhook_active: false,
			inbound_webhook_url: ELSEWHERE,
		});
	});

	await check('an edited version is published after the pause of its former one', async () => {
		const id = await publishReplacing('Edited');
		const edited = { ...trigger('inboundCallCompleted', 2, aliceRef), name: 'Inbound' };
		await editor.saveWorkflow(id, workflow('Edited', [edited]));
		await control.fault({ operation: 'enableInboundWebhook', ...PAUSE });
		await editor.publish(id);
		assert.equal(await inboundUrl(1), ELSEWHERE);
		assert.match(String(await inboundUrl(2)), /token=/);
		await editor.unpublish(id);
	});

	await check('what is left behind is in the log and the status, and can be repaired', async () => {
		const id = await publishReplacing('Left behind');
		await control.fault({ operation: 'enableInboundWebhook', status: 403, times: 1 });
		await editor.unpublish(id);
		const log = await readFile(join(userFolder, 'n8n.log'), 'utf8');
		const left = `of the workflow 'Left behind' (ID ${id}) may still be registered at the assistant 1`;
		assert.ok(log.includes(left));
		const parameters = {
			resource: 'assistant',
			operation: 'getWebhookStatus',
			assistantId: { __rl: true, mode: 'id', value: '1' },
		};
		const execution = await runNode(environment, action(STATUS, parameters, aliceRef));
		const [webhooks] = getItems(execution, STATUS);
		assert.partialDeepStrictEqual(webhooks?.inbound_call_completed, {
			receiver: 'trigger',
			workflow_id: id,
		});

		await editor.publish(id);
		await editor.unpublish(id);
		assert.equal(await inboundUrl(1), ELSEWHERE);
	});
}
