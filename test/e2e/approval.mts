import assert from 'node:assert/strict';

import * as z from 'zod';

import { withCredential, type Workflow } from '../../host/api/workflow.mts';
import { ASK_BEFORE_START, readExample } from '../../host/n8n/examples.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { startService } from '../support/sandbox/service.mts';
import type { TestN8n } from '../support/startTestN8n.mts';
import { seed } from './seed.mts';

const LIMIT_MS = 60_000;
const LAST_NODE = 'Start the campaign';

/** An expression of the example. */
const CAMPAIGN = "={{ $('Campaign to start').first().json.campaign_id }}";

/** What somebody may place behind the form, with the request that it sends. The first one is the example's own. */
const OPERATIONS = [
	{
		name: 'campaign: start',
		parameters: {
			resource: 'campaign',
			operation: 'start',
			campaignId: CAMPAIGN,
		},
		request: {
			path: '/api/user/campaigns/update-status',
			body: { campaign_id: 1, action: 'start' },
		},
	},
	{
		name: 'sms: send',
		parameters: {
			resource: 'sms',
			operation: 'send',
			phoneNumberId: '1',
			to: '+4915112345699',
			body: 'Thank you!',
		},
		request: {
			path: '/api/user/sms',
			body: { from: 1, to: '+4915112345699', body: 'Thank you!' },
		},
	},
	{
		name: 'lead: create',
		parameters: {
			resource: 'lead',
			operation: 'create',
			campaignId: CAMPAIGN,
			phoneNumber: '+4915112345699',
		},
		request: {
			path: '/api/user/lead',
			body: { campaign_id: 1, phone_number: '+4915112345699' },
		},
	},
];

/** The example that waits for a person, with n8n's own Wait node and its form. */
export async function approval(
	{ check, cleanup }: Checks,
	{ editor }: Pick<TestN8n, 'editor'>,
): Promise<void> {
	const service = await cleanup.use(startService({ seed: seed() }));
	const alice = await saveCredential(editor, 'Alice, approval', { url: service.url, token: ALICE });
	const example = withCredential(await readExample(ASK_BEFORE_START), alice);

	/** Runs the workflow until it waits. @returns the execution, and the address of its form */
	const startAndAsk = async (workflow: Workflow) => {
		await service.reset();
		const { id: workflowId } = await editor.createWorkflow(workflow);
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

	const lastNode = example.nodes.find((node) => node.name === LAST_NODE);
	assert.deepEqual(lastNode?.parameters, OPERATIONS[0]?.parameters);

	for (const { name, parameters, request } of OPERATIONS) {
		const nodes = example.nodes.map((node) =>
			node.name === LAST_NODE ? { ...node, parameters } : node,
		);
		const workflow = { ...example, nodes };

		await check(`${name} runs only after a person approved it in the form`, async () => {
			assert.deepEqual(await decide(workflow, 'Start'), [request]);
		});

		await check(`${name} does not run when a person declines in the form`, async () => {
			assert.deepEqual(await decide(workflow, 'Do not start'), []);
		});
	}
}
