import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import type { Workflow } from '../../host/api/workflow.mts';
import { waitFor } from '../../host/process/wait.mts';
import { A_CALL, assistantRecord } from '../../sandbox/test/support/calls.mts';
import { getObjects } from '../../sandbox/test/support/contract.mts';
import { getHeaders, midCallToolTrigger, respond } from '../support/midCallTools.mts';
import { percentile } from '../support/percentile.mts';
import { post } from '../support/post.mts';
import { queryExecutions } from '../support/storedExecutions.mts';
import { node, trigger } from '../support/workflows.mts';
import { inPairs, type Bench } from './environment.mts';
import { withProbes } from './n8nProbes.mts';
import { atLeastTimes, atMostTimes, type Subject } from './results.mts';
import { chain } from './runNode.mts';

/** Two of Alice's. */
const DELIVERIES_OF = 1;
const TOOL_OF = 2;
const TEXT = 'At ten.';
const ANSWER = JSON.stringify({ answer: TEXT });
const WARM_UP = 30;
const END_LIMIT_MS = 10 * 60_000;

/** A published workflow that begins with a webhook. */
interface Target {
	by: string;
	workflowId: string;
	url: string;
	headers?: Record<string, string>;
}

/** Deliveries, ten at a time: accepted, and their executions ended. */
export async function deliveries(bench: Bench): Promise<void> {
	const { sandbox, sandboxCredential: credential, results, quick } = bench;
	const own = await publish(bench, 'this trigger', [
		trigger('callCompleted', DELIVERIES_OF, credential),
	]);
	const { webhook_url: url } = await assistantRecord(sandbox.alice, DELIVERIES_OF);
	await sandbox.control.outbound({ assistant_id: DELIVERIES_OF, to: '+4915112345690' });
	await sandbox.control.advance(A_CALL);
	const [delivery] = await sandbox.control.deliveries();
	assert.equal(delivery?.state, 'delivered');
	const webhook = await publishWebhook(bench, 'Webhook node', {
		responseMode: 'onReceived',
		options: { noResponseBody: true },
	});
	let lastId = 1_000_000;
	const events = (count: number) =>
		Array.from({ length: count }, () => ({ ...delivery.body, id: (lastId += 1) }));
	const deliver = (target: Target) => async () =>
		await measure(bench, target, { bodies: events(quick ? 20 : 200), inFlight: 10 }, 'deliveries');
	const ownTarget = { ...own, url: String(url) };
	for (const target of [ownTarget, webhook]) await warmUp(bench, target, events(WARM_UP));
	const { ours, theirs } = await inPairs(bench, deliver(ownTarget), deliver(webhook));
	results.expect('rate', ours, atLeastTimes(0.6), theirs);
	for (const { workflowId } of [own, webhook]) await bench.editor.unpublish(workflowId);
}

/** Tool calls, one and ten at a time: the time until the answer. */
export async function toolAnswers(bench: Bench): Promise<void> {
	const { sandbox, sandboxCredential: credential, results, quick } = bench;
	const own = await publish(bench, 'this trigger → Respond', [
		midCallToolTrigger([TOOL_OF], credential, { name: 'answer', options: { timeout: 30 } }),
		respond('Respond', TEXT),
	]);
	const { tools } = await assistantRecord(sandbox.alice, TOOL_OF);
	const tool = getObjects(tools).find(({ name }) => name === 'answer');
	const ownTarget = { ...own, url: String(tool?.endpoint), headers: getHeaders(tool) };
	const webhook = await publishWebhook(
		bench,
		'Webhook → Respond to Webhook',
		{ responseMode: 'responseNode', options: {} },
		node('Respond', 'n8n-nodes-base.respondToWebhook', 1.1, {
			...{ respondWith: 'json', responseBody: ANSWER, options: {} },
		}),
	);
	const calls = (count: number) => Array.from({ length: count }, () => ({}));
	for (const target of [ownTarget, webhook]) await warmUp(bench, target, calls(WARM_UP));
	for (const inFlight of [1, 10]) {
		const ask = (target: Target) => async () =>
			await measure(
				bench,
				target,
				{ bodies: calls(quick ? 20 : 200), inFlight },
				'answers',
				ANSWER,
			);
		const { ours, theirs } = await inPairs(bench, ask(ownTarget), ask(webhook));
		results.expect('p50', ours, atMostTimes(1.7), theirs);
	}
	for (const { workflowId } of [own, webhook]) await bench.editor.unpublish(workflowId);
}

/** @param nodes in a row */
async function publish({ editor }: Bench, by: string, nodes: Workflow['nodes']) {
	const { id: workflowId } = await editor.createWorkflow(chain(by, nodes));
	await editor.publish(workflowId);
	return { by, workflowId };
}

/** Publishes n8n's own Webhook node. @param others after it */
async function publishWebhook(
	bench: Bench,
	by: string,
	parameters: object,
	...others: Workflow['nodes']
): Promise<Target> {
	const path = randomUUID();
	const all = { httpMethod: 'POST', path, ...parameters };
	const first = node('Webhook', 'n8n-nodes-base.webhook', 2, all);
	return { ...(await publish(bench, by, [first, ...others])), url: `${bench.url}/webhook/${path}` };
}

const states = z.object({ started: z.number(), ended: z.number(), succeeded: z.number() });

/** Waits until so many executions have ended. @returns how many there are */
async function untilEnded({ userFolder }: Bench, { workflowId }: Target, count: number) {
	const sql = `SELECT count(*) AS started, count(stoppedAt) AS ended,
		count(CASE status WHEN 'success' THEN 1 END) AS succeeded
		FROM execution_entity WHERE workflowId = ? AND deletedAt IS NULL`;
	return await waitFor('all executions to end', END_LIMIT_MS, () => {
		const now = states.parse(queryExecutions(userFolder, sql, workflowId)[0]);
		return Promise.resolve(now.ended >= count && now.ended === now.started ? now : undefined);
	});
}

async function warmUp(bench: Bench, target: Target, bodies: object[]): Promise<void> {
	await post(target.url, bodies, 1, target.headers);
	await untilEnded(bench, target, 0);
}

/** Measures requests until the end of the last execution, and the time to each response. */
async function measure(
	bench: Bench,
	target: Target,
	{ bodies, inFlight }: { bodies: object[]; inFlight: number },
	what: string,
	text?: string,
): Promise<Subject> {
	const { by, url, headers } = target;
	const subject = { work: `${bodies.length} ${what}, ${inFlight} at a time`, by };
	await bench.check(`${subject.work}, to ${by}: each has one execution`, async () => {
		const before = await untilEnded(bench, target, 0);
		await withProbes(bench.n8n(), async (between) => {
			const { from, statuses, texts, latencies } = await post(url, bodies, inFlight, headers);
			const after = await untilEnded(bench, target, before.ended + bodies.length);
			const to = Date.now();
			assert.deepEqual([...new Set(statuses)], [200]);
			if (text !== undefined) assert.deepEqual([...new Set(texts)], [text]);
			assert.equal(after.succeeded, before.succeeded + bodies.length);
			const rate = (1000 * bodies.length) / (to - from);
			const [p50, p95] = [percentile(latencies, 0.5), percentile(latencies, 0.95)];
			bench.results.record(subject, { rate, p50, p95, ...between(from, to) });
		});
	});
	return subject;
}
