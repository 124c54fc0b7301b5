import assert from 'node:assert/strict';

import { withCredential } from '../../host/api/workflow.mts';
import { ASK_BEFORE_START, readExample } from '../../host/n8n/examples.mts';
import { waitFor } from '../../host/process/wait.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';
import { waitingLinks } from './waitingLinks.mts';

const LIMIT_MS = 60_000;
const START = { campaign_id: 1, action: 'start' };

/** The example that waits for a person, with n8n's own Wait node and its form. */
export async function approval(environment: E2eEnvironment): Promise<void> {
	const { check, editor } = environment;
	const { control, aliceRef } = await startOwnService(environment, 'approval');
	const example = withCredential(await readExample(ASK_BEFORE_START), aliceRef);

	for (const [decision, name, sent] of [
		['Do not start', 'a campaign does not start when a person declines in the form', []],
		['Start', 'a campaign starts only after a person approved it in the form', [START]],
	] as const) {
		await check(name, async () => {
			const { id: workflowId } = await editor.createWorkflow(example);
			const id = await editor.start(workflowId, 'Start by hand');
			const [form] = await waitingLinks(editor, workflowId, id, 'form-waiting');
			assert.ok(form, 'The execution has no form.');
			assert.match(await (await fetch(form)).text(), /Start campaign 1\?/);
			assert.deepEqual(await control.requests(), []);
			const body = new FormData();
			body.set('field-0', decision);
			const { status } = await fetch(form, { method: 'POST', body });
			assert.equal(status, 200);
			const ended = await waitFor('the end', LIMIT_MS, async () => editor.execution(id));
			assert.equal(ended.status, 'success', ended.error);
			const received = (await control.requests()).map((request) => request.body);
			assert.deepEqual(received, sent);
		});
	}
}
