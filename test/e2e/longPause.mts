import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { itemsOf } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { assistantRecord } from '../support/sandbox/calls.mts';
import { sendRequest } from '../support/sandbox/client.mts';
import { action, start, START, trigger, workflow } from '../support/workflows.mts';
import { startAccount } from './account.mts';
import { createTriggerWorkflow, readWebhookUrls } from './calls.mts';
import { ASSISTANTS, CAROL } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const ELSEWHERE = 'https://crm.example.com/hooks/inbound';
const STATUS = 'Status';
const REFUSAL_LIMIT_MS = 30_000;

/** Longer than a publish waits, and shorter than a request of the suite may take. */
const PAUSE = { status: 429, headers: { 'Retry-After': '22' }, times: 1 };

const isRefused = ({ status }: { status?: unknown }): boolean => status === 429;

/** The service wants no request for a while as workflows are published and unpublished. */
export async function longPause(checks: Checks, environment: E2eEnvironment): Promise<void> {
	const { check } = checks;
	const { editor, service, carol } = environment;
	const { longPause: assistantId } = ASSISTANTS;

	await check(
		'unpublishing puts everything back while another publish is refused for a minute',
		async () => {
			const { status } = await service.as(CAROL).post('/user/assistants/enable-inbound-webhook', {
				assistant_id: assistantId,
				webhook_url: ELSEWHERE,
			});
			assert.equal(status, 200);
			const options = { replaceExisting: true };
			const { id: unpublished } = await editor.createWorkflow(
				workflow('Unpublished', [trigger('inboundCallCompleted', assistantId, carol, { options })]),
			);
			await editor.publish(unpublished);
			const own = (await readWebhookUrls(environment, assistantId)).inboundCallCompleted ?? '';
			assert.notEqual(own, ELSEWHERE);

			await service.control.fault({
				operation: 'updateAssistant',
				status: 429,
				headers: { 'Retry-After': '60' },
				times: 1,
			});
			const published = await createTriggerWorkflow(environment, 'Published', assistantId, carol);
			const publishing = Promise.allSettled([editor.publish(published)]);
			await waitFor('the refusal', REFUSAL_LIMIT_MS, async () =>
				(await service.control.requests()).some(isRefused) ? true : undefined,
			);
			await editor.unpublish(unpublished);
			const [publish] = await publishing;
			const urls = await readWebhookUrls(environment, assistantId);
			assert.equal(urls.inboundCallCompleted, ELSEWHERE);
			assert.equal((await sendRequest(new URL(own), { method: 'POST', body: '{}' })).status, 404);

			// n8n 2.41 tries again, and n8n 2.0 leaves that to the user.
			if (publish.status === 'rejected') await editor.publish(published);
			await editor.unpublish(published);
			assert.equal((await readWebhookUrls(environment, assistantId)).callCompleted, null);
		},
	);

	// Another service, because its faults hit any assistant.
	const own = await startAccount(checks, { editor }, 'Alice, pauses');
	const { alice, control } = own.service;
	const replacing = { options: { replaceExisting: true } };
	const inboundUrl = async (id: number) => (await assistantRecord(alice, id)).inbound_webhook_url;
	const registerElsewhere = async (id: number): Promise<void> => {
		const body = { assistant_id: id, webhook_url: ELSEWHERE };
		const { status } = await alice.post('/user/assistants/enable-inbound-webhook', body);
		assert.equal(status, 200);
	};

	await check(
		'unpublishing waits for a pause, and removes both triggers of a workflow',
		async () => {
			await registerElsewhere(1);
			const { id } = await editor.createWorkflow(
				workflow('Two triggers', [
					trigger('callCompleted', 1, own.alice),
					{ ...trigger('inboundCallCompleted', 1, own.alice, replacing), name: 'Inbound' },
				]),
			);
			await editor.publish(id);
			assert.notEqual(await inboundUrl(1), ELSEWHERE);
			// Whichever trigger comes first, the other one waits for it and then for a pause of its own.
			await control.fault({ operation: 'disableWebhook', ...PAUSE });
			await control.fault({ operation: 'enableInboundWebhook', ...PAUSE });
			await editor.unpublish(id);
			assert.partialDeepStrictEqual(await assistantRecord(alice, 1), {
				webhook_url: null,
				is_webhook_active: false,
				inbound_webhook_url: ELSEWHERE,
			});
		},
	);

	await check(
		'an edited version is published after the pause that its former one needs',
		async () => {
			const { id } = await editor.createWorkflow(
				workflow('Edited', [trigger('inboundCallCompleted', 1, own.alice, replacing)]),
			);
			await editor.publish(id);
			const edited = workflow('Edited', [trigger('inboundCallCompleted', 2, own.alice)]);
			await editor.saveWorkflow(id, edited);
			await control.fault({ operation: 'enableInboundWebhook', ...PAUSE });
			await editor.publish(id);
			assert.equal(await inboundUrl(1), ELSEWHERE);
			assert.match(String(await inboundUrl(2)), /token=/);
			await editor.unpublish(id);
		},
	);

	await check(
		'what unpublishing leaves behind stands in the log and in the status, and the repair works',
		async () => {
			const { id } = await editor.createWorkflow(
				workflow('Left behind', [trigger('inboundCallCompleted', 1, own.alice, replacing)]),
			);
			await editor.publish(id);
			await control.fault({ operation: 'enableInboundWebhook', status: 403, times: 1 });
			await editor.unpublish(id);
			const log = await readFile(join(environment.userFolder, 'n8n.log'), 'utf8');
			assert.ok(
				log.includes(
					`of the workflow 'Left behind' (ID ${id}) may still be registered at the assistant 1`,
				),
			);
			const parameters = {
				resource: 'assistant',
				operation: 'getWebhookStatus',
				assistantId: { __rl: true, mode: 'id', value: '1' },
			};
			const { id: asking } = await editor.createWorkflow(
				workflow('Status', [start(), action(STATUS, parameters, own.alice)], [[START, STATUS]]),
			);
			const [status] = itemsOf(await editor.run(asking, START), STATUS);
			assert.partialDeepStrictEqual(status?.inbound_call_completed, {
				receiver: 'trigger',
				workflow_id: id,
			});

			await editor.publish(id);
			await editor.unpublish(id);
			assert.equal(await inboundUrl(1), ELSEWHERE);
		},
	);
}
