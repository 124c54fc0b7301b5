import assert from 'node:assert/strict';

import { withCredential, type Workflow } from '../../host/api/workflow.mts';
import { ASK_BEFORE_START, readExample } from '../../host/n8n/examples.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { operationNamed } from '../support/n8n/operations.mts';
import type { TestN8n } from '../support/startTestN8n.mts';
import { startAccount } from './account.mts';
import { waitingLinks } from './waitingLinks.mts';

const LIMIT_MS = 60_000;
const LAST_NODE = 'Start the campaign';

/** What else somebody may place behind the form. */
const OTHERS = ['sms: send', 'lead: create'].map(operationNamed);

/** The example that waits for a person, with n8n's own Wait node and its form. */
export async function approval(checks: Checks, { editor }: Pick<TestN8n, 'editor'>): Promise<void> {
	const { check } = checks;
	const { service, alice } = await startAccount(checks, { editor }, 'Alice, approval');
	const example = withCredential(await readExample(ASK_BEFORE_START), alice);

	/** Runs the workflow until it waits. @returns the execution, and the address of its form */
	const startAndAsk = async (workflow: Workflow) => {
		await service.reset();
		const { id: workflowId } = await editor.createWorkflow(workflow);
		const id = await editor.start(workflowId, 'Start by hand');
		const [form] = await waitingLinks(editor, workflowId, id, 'form-waiting');
		assert.ok(form, 'The execution has no form.');
		return { id, form };
	};

	/** @returns what the service received after the decision */
	const decide = async (workflow: Workflow, decision: string) => {
		const { id, form } = await startAndAsk(workflow);
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

	const checkDecisions = async (name: string, workflow: Workflow, request: object) => {
		await check(`${name} runs only after a person approved it in the form`, async () => {
			assert.deepEqual(await decide(workflow, 'Start'), [request]);
		});

		await check(`${name} does not run when a person declines in the form`, async () => {
			assert.deepEqual(await decide(workflow, 'Do not start'), []);
		});
	};

	await checkDecisions('campaign: start', example, {
		path: '/api/user/campaigns/update-status',
		body: { campaign_id: 1, action: 'start' },
	});
	for (const { name, parameters, request } of OTHERS) {
		const nodes = example.nodes.map((node) =>
			node.name === LAST_NODE ? { ...node, parameters } : node,
		);
		const { path, body } = request;
		await checkDecisions(name, { ...example, nodes }, { path, body });
	}
}
