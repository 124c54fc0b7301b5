import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import type { Workflow } from '../../host/api/workflow.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { withProgress } from '../../host/process/progress.mts';
import { waitFor } from '../../host/process/wait.mts';
import { ALICE, twoUsers } from '../../sandbox/test/support/seed.mts';
import { startService } from '../../sandbox/test/support/service.mts';
import { percentile } from '../support/percentile.mts';
import { post } from '../support/post.mts';
import { queryExecutions } from '../support/storedExecutions.mts';
import { node } from '../support/workflows.mts';
import { chain } from './measureNode.mts';
import { withProbes } from './n8nProbes.mts';
import type { Subject } from './results.mts';
import type { BenchEnvironment, Round } from './round.mts';

const READY_LIMIT_MS = 30_000;
const END_LIMIT_MS = 10 * 60_000;

/** Where a published workflow gets its requests. */
interface Address {
	url: string;
	/** of each request */
	headers?: Record<string, string>;
}

/** A published workflow that begins with a webhook. */
export interface PublishedWebhook extends Address {
	/** its name in the results: "this node" */
	by: string;
	workflowId: string;
}

/** Publishes workflows that begin with a webhook. This package's triggers register at a sandbox. */
export async function openPublisher({ editor, url, cleanup }: BenchEnvironment) {
	const [alice] = twoUsers().users;
	const seed = { users: [{ ...alice, tool_quota: 10 }] };
	const sandbox = await cleanup.use(startService({ seed }));
	const credential = await saveCredential(editor, 'Sandbox', { url: sandbox.url, token: ALICE });
	const ids: string[] = [];
	/** @param nodes in a row @param getAddress called when the workflow is published */
	const publish = async (
		by: string,
		nodes: Workflow['nodes'],
		getAddress: () => Address | Promise<Address>,
	): Promise<PublishedWebhook> => {
		const { id: workflowId } = await editor.createWorkflow(chain(by, nodes));
		await editor.publish(workflowId);
		ids.push(workflowId);
		return { by, workflowId, ...(await getAddress()) };
	};
	return {
		sandbox,
		credential,
		publish,
		/** Publishes n8n's own Webhook node. @param others after it */
		publishWebhookNode: async (by: string, parameters: object, ...others: Workflow['nodes']) => {
			const path = randomUUID();
			const all = { httpMethod: 'POST', path, ...parameters };
			const first = node('Webhook', 'n8n-nodes-base.webhook', 2, all);
			return await publish(by, [first, ...others], () => ({ url: `${url}/webhook/${path}` }));
		},
		unpublishAll: async (): Promise<void> => {
			for (const id of ids) await editor.unpublish(id);
		},
	};
}

/** Requests of one kind. */
interface Requests {
	work: string;
	/** what is true of them */
	claim: string;
	bodies: object[];
	inFlight: number;
	/** of each response */
	status: number;
	/** of each response; not looked at unless given */
	text?: string;
	/** how many executions they start; not looked at unless given */
	executions?: number;
}

const states = z.object({
	started: z.number(),
	ended: z.number(),
	succeeded: z.number(),
	last: z.string().nullable(),
});

/** Counts the executions of a workflow. Those that n8n does not save end as deleted ones. */
function countExecutions({ userFolder }: BenchEnvironment, workflowId: string) {
	const sql = `SELECT count(*) AS started, count(stoppedAt) AS ended, max(stoppedAt) AS last,
		count(CASE status WHEN 'success' THEN 1 END) AS succeeded
		FROM execution_entity WHERE workflowId = ? AND deletedAt IS NULL`;
	return states.parse(queryExecutions(userFolder, sql, workflowId)[0]);
}

/** Waits until n8n accepts requests after its start, sends some to each webhook, and waits for their end. */
export async function warmUp(
	environment: BenchEnvironment,
	webhooks: PublishedWebhook[],
	bodies: object[],
): Promise<void> {
	for (const { url, headers, workflowId } of webhooks) {
		await waitFor('n8n to accept requests', READY_LIMIT_MS, async () => {
			const { statuses } = await post(url, bodies.slice(0, 1), 1, headers);
			return statuses[0] === 200 || undefined;
		});
		await post(url, bodies.slice(1), 1, headers);
		await waitFor('all executions to end', END_LIMIT_MS, () => {
			const { started, ended } = countExecutions(environment, workflowId);
			return Promise.resolve(started === ended || undefined);
		});
	}
}

/** Measures requests to a webhook: until their responses, or until the end of the last execution. */
export async function measureRequests(
	{ environment, results, check }: Round,
	{ by, url, headers, workflowId }: PublishedWebhook,
	{ work, claim, bodies, inFlight, status, text, executions }: Requests,
): Promise<Subject> {
	const subject = { work, by };
	const title = `${work}, to ${by}`;
	await check(`${title}: ${claim}`, async () => {
		const before = countExecutions(environment, workflowId);
		await withProbes(environment.n8n(), async (between) => {
			const sending = async () => await post(url, bodies, inFlight, headers);
			const sent = await withProgress(title, () => 'sending', sending);
			assert.deepEqual([...new Set(sent.statuses)], [status]);
			if (text !== undefined) assert.deepEqual([...new Set(sent.texts)], [text]);
			let end = sent.to;
			if (executions !== undefined) {
				// n8n responds to an event before it runs the workflow.
				const after = await waitFor('all executions to end', END_LIMIT_MS, () => {
					const now = countExecutions(environment, workflowId);
					return Promise.resolve(now.ended - before.started >= executions ? now : undefined);
				});
				assert.equal(after.started - before.started, executions);
				assert.equal(after.succeeded, after.started);
				if (executions > 0) end = Date.parse(`${after.last?.replace(' ', 'T') ?? ''}Z`);
			}
			const time = (end - sent.from) / 1000;
			results.record(subject, {
				time,
				rate: bodies.length / time,
				p50: percentile(sent.latencies, 0.5),
				p95: percentile(sent.latencies, 0.95),
				requests: bodies.length,
				...between(sent.from, end),
			});
		});
	});
	return subject;
}
