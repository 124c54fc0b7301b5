import assert from 'node:assert/strict';

import * as z from 'zod';

import { withCredential } from '../../host/api/workflow.mts';
import { ASK_BEFORE_START, readExample } from '../../host/n8n/examples.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { startService } from '../support/sandbox/service.mts';
import type { TestN8n } from '../support/startTestN8n.mts';
import { seed } from './seed.mts';

const LIMIT_MS = 60_000;

/** The example that waits for a person, with n8n's own Wait node and its form. */
export async function approval(
	{ check, cleanup }: Checks,
	{ editor }: Pick<TestN8n, 'editor'>,
): Promise<void> {
	const service = await cleanup.use(startService({ seed: seed() }));
	const alice = await saveCredential(editor, 'Alice, approval', { url: service.url, token: ALICE });
	const example = withCredential(await readExample(ASK_BEFORE_START), alice);

	/** Runs the example until it waits. @returns the execution, and the address of its form */
	const startAndAsk = async () => {
		await service.reset();
		const { id: workflowId } = await editor.createWorkflow(example);
		const id = await editor.start(workflowId, 'Start by hand');
		await waitFor('the execution to wait', LIMIT_MS, async () =>
			(await editor.executionStates(workflowId)).get(id) === 'waiting' ? true : undefined,
		);
		const { data } = await editor.rest.call(
			z.object({ data: z.string() }),
			'GET',
			`/executions/${id}`,
		);
		const [form] = /http[^"\s]+\/form-waiting\/[^"\s]+/.exec(data) ?? [];
		assert.ok(form, 'The execution has no form.');
		return { id, form };
	};

	const decide = async (decision: string) => {
		const { id, form } = await startAndAsk();
		assert.match(await (await fetch(form)).text(), /Start campaign 1\?/);
		assert.deepEqual(await service.control.requests(), []);
		const body = new FormData();
		body.set('field-0', decision);
		const { status } = await fetch(form, { method: 'POST', body });
		assert.equal(status, 200);
		const ended = await waitFor('the execution to end', LIMIT_MS, async () => editor.execution(id));
		assert.equal(ended.status, 'success', ended.error);
		return (await service.control.requests()).map(({ path, body: sent }) => ({ path, body: sent }));
	};

	await check('a campaign starts only after a person approved it in the form', async () => {
		assert.deepEqual(await decide('Start'), [
			{ path: '/api/user/campaigns/update-status', body: { campaign_id: 1, action: 'start' } },
		]);
	});

	await check('a campaign does not start when a person declines', async () => {
		assert.deepEqual(await decide('Do not start'), []);
	});
}
