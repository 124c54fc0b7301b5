import { randomUUID } from 'node:crypto';

import type { Editor } from '../../host/api/editor.mts';
import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { midCallToolTrigger, respond, TOOL_CALL } from '../support/midCallTools.mts';
import { action, CALL, node, pollTrigger, trigger, workflow } from '../support/workflows.mts';

/** The assistants, by what they are for. */
export const ASSISTANTS = { calls: 1, tool: 2, free: 3, taken: 4, toolHolder: 5 };
/** Seconds. The assistant waits for so long. */
export const TOOL_TIMEOUT_S = 10;
export const POLL = 'Poll';
/** The node of a workflow that sends what is counted. */
export const SEND = 'Send';

/** Three times a minute, so that a short run has several. n8n refuses them as one expression. */
const POLL_TIMES = {
	item: [5, 25, 45].map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
};

/** The people who must not be reached, as the service has them. */
export const BLOCKED = ['+4915120000007', '+4915120000017', '+4915120000027'];
/** The same, as a user writes them down. */
const DO_NOT_CALL = ['0049 151 200 00007', '+49 (0)151 20000017', '+49-151-20000027'].join('\n');

/** Creates the workflows. @returns their IDs */
export async function createWorkflows(editor: Editor, credential: CredentialRef) {
	const create = async (...source: Parameters<typeof workflow>) =>
		(await editor.createWorkflow(workflow(...source))).id;
	const send = (parameters: Record<string, unknown>) => action(SEND, parameters, credential);
	const byId = { __rl: true, mode: 'id', value: '1' };
	const sms = (to: string, body: string, options: object) =>
		send({ resource: 'sms', operation: 'send', phoneNumberId: byId, to, body, options });
	const lead = send({
		...{ resource: 'lead', operation: 'create', campaignId: byId },
		phoneNumber: '={{ $json.phone }}',
		// The service would refuse a second one, and hide that it was sent.
		onDuplicate: 'createAnyway',
		options: { onlyOnce: '={{ $json.phone }}' },
	});
	const text = sms('={{ $json.phone }}', '={{ $json.text }}', { doNotCall: DO_NOT_CALL });
	const called = sms('={{ $json.client_phone_number }}', '=Call {{ $json.id }}', {
		onlyOnce: '={{ $json.id }}',
	});
	const poll = pollTrigger(ASSISTANTS.calls, credential);
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };
	/** A list that is posted to a webhook of n8n, and sent by a node. */
	const list = async (path: string, sending: Workflow['nodes'][number]) => {
		const webhook = node('Webhook', 'n8n-nodes-base.webhook', 2, { httpMethod: 'POST', path });
		const split = node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body' });
		const nodes = [{ ...webhook, webhookId: randomUUID() }, split, sending];
		return await create(path, nodes, [
			['Webhook', 'Split'],
			['Split', SEND],
		]);
	};
	const call = (assistantId: number, others = {}) =>
		trigger('callCompleted', assistantId, credential, others);
	const tool = (assistantId: number, others: Record<string, unknown>) =>
		midCallToolTrigger([assistantId], credential, others);
	return {
		leads: await list('leads', { ...lead, ...retries }),
		texts: await list('texts', { ...text, onError: 'continueErrorOutput' }),
		calls: await create(
			'calls',
			[
				call(ASSISTANTS.calls),
				{ ...poll, name: POLL, parameters: { ...poll.parameters, pollTimes: POLL_TIMES } },
				{ ...called, ...retries },
			],
			[
				[CALL, SEND],
				[POLL, SEND],
			],
		),
		tool: await create(
			'tool',
			[
				tool(ASSISTANTS.tool, { options: { timeout: TOOL_TIMEOUT_S } }),
				action('Look up', { resource: 'campaign', operation: 'getAll' }, credential),
				respond('Answer', 'Tuesday.'),
			],
			[
				[TOOL_CALL, 'Look up'],
				['Look up', 'Answer'],
			],
		),
		// Those that are published and unpublished all the time.
		free: await create('free', [call(ASSISTANTS.free)]),
		taken: await create('taken', [call(ASSISTANTS.taken, { options: { replaceExisting: true } })]),
		toolHolder: await create('toolHolder', [tool(ASSISTANTS.toolHolder, { name: 'other_tool' })]),
	};
}
