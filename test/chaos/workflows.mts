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

const byId = (value: number) => ({ __rl: true, mode: 'id', value: String(value) });

/** The people who must not be reached, as a user writes them down. */
export const DO_NOT_CALL = ['0049 151 200 00007', '+49 (0)151 20000017', '+49-151-20000027'];

const sms = (credential: CredentialRef, to: string, body: string, options: object) =>
	action(
		SEND,
		{ resource: 'sms', operation: 'send', phoneNumberId: byId(1), to, body, options },
		credential,
	);

/** A list that is posted to a webhook of n8n, and sent by a node. */
function list(path: string, send: Workflow['nodes'][number]): Workflow {
	const webhook = { httpMethod: 'POST', path };
	return workflow(
		path,
		[
			{ ...node('Webhook', 'n8n-nodes-base.webhook', 2, webhook), webhookId: randomUUID() },
			node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body' }),
			send,
		],
		[
			['Webhook', 'Split'],
			['Split', SEND],
		],
	);
}

/** Creates the workflows. @returns their IDs */
export async function createWorkflows(editor: Editor, credential: CredentialRef) {
	const create = async (source: Workflow) => (await editor.createWorkflow(source)).id;
	const lead = action(
		SEND,
		{
			resource: 'lead',
			operation: 'create',
			campaignId: byId(1),
			phoneNumber: '={{ $json.phone }}',
			// The service would refuse a second one, and hide that it was sent.
			onDuplicate: 'createAnyway',
			options: { onlyOnce: '={{ $json.phone }}' },
		},
		credential,
	);
	const text = sms(credential, '={{ $json.phone }}', '={{ $json.text }}', {
		doNotCall: DO_NOT_CALL.join('\n'),
	});
	const called = sms(credential, '={{ $json.client_phone_number }}', '=Call {{ $json.id }}', {
		onlyOnce: '={{ $json.id }}',
	});
	const poll = pollTrigger(ASSISTANTS.calls, credential);
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };
	const publishing = async (name: string, assistantId: number, others: object) =>
		await create(
			workflow(name, [trigger('callCompleted', assistantId, credential, { ...others })]),
		);
	return {
		leads: await create(list('leads', { ...lead, ...retries })),
		texts: await create(list('texts', { ...text, onError: 'continueErrorOutput' })),
		calls: await create(
			workflow(
				'calls',
				[
					trigger('callCompleted', ASSISTANTS.calls, credential),
					{ ...poll, name: POLL, parameters: { ...poll.parameters, pollTimes: POLL_TIMES } },
					{ ...called, ...retries },
				],
				[
					[CALL, SEND],
					[POLL, SEND],
				],
			),
		),
		tool: await create(
			workflow(
				'tool',
				[
					midCallToolTrigger([ASSISTANTS.tool], credential, { timeout: TOOL_TIMEOUT_S }),
					action('Look up', { resource: 'campaign', operation: 'getAll' }, credential),
					respond('Answer', 'Tuesday.', credential),
				],
				[
					[TOOL_CALL, 'Look up'],
					['Look up', 'Answer'],
				],
			),
		),
		// Those that are published and unpublished all the time.
		free: await publishing('free', ASSISTANTS.free, {}),
		taken: await publishing('taken', ASSISTANTS.taken, { options: { replaceExisting: true } }),
		toolHolder: await create(
			workflow('toolHolder', [
				midCallToolTrigger([ASSISTANTS.toolHolder], credential, { name: 'other_tool' }),
			]),
		),
	};
}
