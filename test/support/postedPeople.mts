import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { Editor } from '../../host/api/editor.mts';
import { getItems, type Execution } from '../../host/api/execution.mts';
import type { CredentialRef } from '../../host/api/workflow.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { SandboxClient } from '../../sandbox/client.mts';
import { action, node, workflow } from './workflows.mts';

const WEBHOOK = 'Webhook';
const SPLIT = 'Split';
const ADD = 'Add people';
const LIMIT_MS = 60_000;

/** A person who is posted to a workflow. */
type Person = { phone: string };

/** People with numbers of their own. @param from the number of the first one */
export const people = (count: number, from = 0): Person[] =>
	Array.from({ length: count }, (_, index) => ({ phone: `+4915${112_347_000 + from + index}` }));

/** The parameter that keeps each person from being sent twice. */
export const ONCE_BY_NUMBER = { options: { onlyOnce: '={{ $json.phone }}' } };

interface AddingWorkflow {
	editor: Editor;
	/** where n8n's webhooks are */
	url: string;
	credential: CredentialRef;
	/** of its webhook, and its name */
	path: string;
	/** further ones of *Lead → Create* */
	parameters: object;
}

/** Publishes a workflow that adds the people who are posted to it to campaign 1. */
export async function publishAddingWorkflow(options: AddingWorkflow) {
	const { editor, url, credential, path, parameters } = options;
	const add = action(
		ADD,
		{
			resource: 'lead',
			operation: 'create',
			campaignId: { __rl: true, mode: 'id', value: '1' },
			phoneNumber: '={{ $json.phone }}',
			...parameters,
		},
		credential,
	);
	const webhook = { httpMethod: 'POST', path };
	const nodes = [
		{ ...node(WEBHOOK, 'n8n-nodes-base.webhook', 2, webhook), webhookId: randomUUID() },
		node(SPLIT, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body' }),
		add,
	];
	const links: Array<[string, string]> = [
		[WEBHOOK, SPLIT],
		[SPLIT, ADD],
	];
	const { id } = await editor.createWorkflow(workflow(path, nodes, links));
	await editor.publish(id);
	return {
		id,
		/** Starts an execution with these people. */
		post: async (body: Person[]): Promise<void> => {
			const { ok, status } = await fetch(`${url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			assert.ok(ok, `The webhook answered with ${status}.`);
		},
		/** The executions that have ended, the newest first, when there are so many. */
		ended: async (count: number): Promise<Execution[]> =>
			await waitFor(`${count} executions`, LIMIT_MS, async () => {
				const executions = await editor.executions(id);
				return executions.length >= count ? executions : undefined;
			}),
	};
}

/** How often each number was sent to the service. */
export async function timesSent(control: SandboxClient): Promise<Record<string, number>> {
	const times: Record<string, number> = {};
	for (const { operation, body } of await control.requests()) {
		const { phone_number: number = '' } = (body ?? {}) as { phone_number?: string };
		if (operation === 'createLead') times[number] = (times[number] ?? 0) + 1;
	}
	return times;
}

/** What {@link timesSent} gives when each of these people was sent so often. */
export const each = (rows: Person[], times = 1): Record<string, number> =>
	Object.fromEntries(rows.map(({ phone }) => [phone, times]));

/** The results of the people of an execution. */
export const resultsOf = (execution?: Execution): unknown[] =>
	execution ? getItems(execution, ADD).map(({ result }) => result) : [];
