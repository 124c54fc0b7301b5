import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import { sendRequest } from '../support/sandbox/client.mts';
import { trigger, workflow } from '../support/workflows.mts';
import { createTriggerWorkflow, readWebhookUrls } from './calls.mts';
import { ASSISTANTS, CAROL } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const ELSEWHERE = 'https://crm.example.com/hooks/inbound';

/** Two workflows change one assistant, and the service wants no request of one of them for a minute. */
export async function longPause({ check }: Checks, environment: E2eEnvironment): Promise<void> {
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
			const [publish] = await Promise.allSettled([
				editor.publish(published),
				editor.unpublish(unpublished),
			]);
			const urls = await readWebhookUrls(environment, assistantId);
			assert.equal(urls.inboundCallCompleted, ELSEWHERE);
			assert.equal((await sendRequest(new URL(own), { method: 'POST', body: '{}' })).status, 404);

			// n8n 2.41 tries again, and n8n 2.0 leaves that to the user.
			if (publish.status === 'rejected') await editor.publish(published);
			await editor.unpublish(published);
			assert.equal((await readWebhookUrls(environment, assistantId)).callCompleted, null);
		},
	);
}
