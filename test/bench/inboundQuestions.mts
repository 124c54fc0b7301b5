import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import { ACTION } from '../../host/n8n/names.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { questionOf } from '../support/askedWorkflow.mts';
import { percentile } from '../support/percentile.mts';
import { post } from '../support/post.mts';
import { fields, node, trigger } from '../support/workflows.mts';
import type { Bench } from './environment.mts';
import { withProbes } from './n8nProbes.mts';
import { atMost } from './results.mts';
import { chain } from './runNode.mts';

/** One of Alice's, for inbound calls. */
const ASSISTANT = 2;
const FALLBACK = JSON.stringify({ customer_name: 'there' });
const BY = 'this trigger → Edit Fields → Respond';

/** Callers whom nobody else is: the same one gets the answer of the first question. */
const callers = (from: number, count: number): object[] =>
	Array.from({ length: count }, (_, index) => questionOf(`+4915112${200_000 + from + index}`));

/** Questions before inbound calls that come at a steady rate, whether n8n keeps up or not. */
export async function inboundQuestions(bench: Bench): Promise<void> {
	const { editor, sandbox, sandboxCredential: credential, quick } = bench;
	const variable = [{ name: 'customer_name', value: 'there' }];
	const respond = { resource: 'call', operation: 'respond', respondTo: 'inboundCall' };
	const nodes = [
		trigger('inboundCallStarting', ASSISTANT, credential, { fallbackVariables: { variable } }),
		fields('Edit Fields', { customer_name: '=Caller {{ $json.customer_phone }}' }),
		node('Respond', ACTION, 1, { ...respond, variablesMode: 'sendAllInputFields' }),
	];
	const { id } = await editor.createWorkflow(chain(BY, nodes));
	await editor.publish(id);
	const { inbound_webhook_url: url } = await assistantRecord(sandbox.alice, ASSISTANT);
	await post(String(url), callers(0, quick ? 2 : 30), 1);
	for (const [step, perSecond] of [4, 10].entries()) {
		const questions = callers(1_000 * (step + 1), quick ? 20 : 200);
		await measure(bench, String(url), questions, perSecond);
	}
	await editor.unpublish(id);
}

async function measure(
	{ n8n, results, check, isDefault }: Bench,
	url: string,
	questions: object[],
	perSecond: number,
): Promise<void> {
	const subject = { work: `${questions.length} questions, ${perSecond} a second`, by: BY };
	// At ten a second n8n has more work than it can do, and refuses questions itself, with 503 (2.41).
	const isExpected = perSecond === 4 && isDefault;
	await check(`${subject.work}${isExpected ? ': each gets its answer' : ''}`, async () => {
		await withProbes(n8n(), async (between) => {
			const from = Date.now();
			const answers = await Promise.all(
				questions.map(async (question, index) => {
					await delay((index * 1_000) / perSecond);
					return await post(url, [question], 1);
				}),
			);
			const latencies = answers.flatMap((answer) => answer.latencies);
			const withValues = answers.filter(
				({ statuses: [status], texts: [text] }) => status === 200 && text !== FALLBACK,
			);
			if (isExpected) assert.equal(withValues.length, questions.length);
			results.record(subject, {
				p50: percentile(latencies, 0.5),
				p95: percentile(latencies, 0.95),
				longest: Math.max(...latencies),
				answered: (withValues.length / answers.length) * 100,
				...between(from, Date.now()),
			});
		});
	});
	if (!isExpected) return;
	results.expect('p95', subject, atMost(400));
	results.expect('silence', subject, atMost(0.5));
}
