import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { questionOf } from '../support/askedWorkflow.mts';
import { percentile } from '../support/percentile.mts';
import { post } from '../support/post.mts';
import { action, fields, trigger } from '../support/workflows.mts';
import { withProbes } from './n8nProbes.mts';
import { openPublisher, warmUp, type PublishedWebhook } from './publishedWebhooks.mts';
import { atMost } from './results.mts';
import type { Round } from './round.mts';

/** One of Alice's, for inbound calls. */
const ASSISTANT = 2;
const FALLBACK = JSON.stringify({ customer_name: 'there' });
const BY = 'this trigger → Edit Fields → Respond';

/** Settings of n8n, and what they are called in the results. */
const SETTINGS: Array<[name: string, env: NodeJS.ProcessEnv]> = [
	["n8n's default settings", {}],
	['lazy isolates', { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
];

/** Callers whom nobody else is: the same one gets the answer of the first question. */
const callers = (from: number, count: number): object[] =>
	Array.from({ length: count }, (_, index) => questionOf(`+4915112${200_000 + from + index}`));

/** Questions before inbound calls that come at a steady rate, whether n8n keeps up or not. */
export async function inboundQuestions(round: Round): Promise<void> {
	const { environment, quick } = round;
	const count = quick ? 20 : 200;
	await environment.restart();
	const asked = await publishAsked(round);
	for (const [index, [settings, env]] of SETTINGS.entries()) {
		if (index > 0) await environment.restart(env);
		const first = index * 10_000;
		await warmUp(environment, [asked.webhook], callers(first, quick ? 2 : 30));
		for (const [step, perSecond] of [4, 10].entries()) {
			const questions = callers(first + 1_000 * (step + 1), count);
			await measure(round, asked.webhook, questions, perSecond, settings);
		}
	}
	await asked.unpublishAll();
}

async function measure(
	{ environment, results, check }: Round,
	{ url }: PublishedWebhook,
	questions: object[],
	perSecond: number,
	settings: string,
): Promise<void> {
	const work = `${questions.length} questions, ${perSecond} a second, ${settings}`;
	const subject = { work, by: BY };
	await check(`${work}: each is answered before its limit`, async () => {
		await withProbes(environment.n8n(), async (between) => {
			const from = Date.now();
			const answers = await Promise.all(
				questions.map(async (question, index) => {
					await delay((index * 1_000) / perSecond);
					return await post(url, [question], 1);
				}),
			);
			const to = Date.now();
			const latencies = answers.flatMap((answer) => answer.latencies);
			const texts = answers.flatMap((answer) => answer.texts);
			assert.deepEqual(new Set(answers.flatMap(({ statuses }) => statuses)), new Set([200]));
			const withValues = texts.filter((text) => text !== FALLBACK);
			results.record(subject, {
				time: (to - from) / 1000,
				p50: percentile(latencies, 0.5),
				p95: percentile(latencies, 0.95),
				requests: questions.length,
				answered: (withValues.length / texts.length) * 100,
				...between(from, to),
			});
		});
	});
	if (perSecond === 4 && settings === SETTINGS[0]?.[0]) {
		results.expect('p95', subject, atMost(400));
		results.expect('silence', subject, atMost(0.5));
	}
}

/** Publishes a workflow that is asked before inbound calls. */
async function publishAsked({ environment }: Round) {
	const publisher = await openPublisher(environment);
	const { sandbox, credential, publish } = publisher;
	const variable = [{ name: 'customer_name', value: 'there' }];
	const nodes = [
		trigger('inboundCallStarting', ASSISTANT, credential, { fallbackVariables: { variable } }),
		fields('Edit Fields', { customer_name: '=Caller {{ $json.customer_phone }}' }),
		action(
			'Respond',
			{
				...{ resource: 'call', operation: 'respond', respondTo: 'inboundCall' },
				variablesMode: 'sendAllInputFields',
			},
			credential,
		),
	];
	const webhook = await publish(BY, nodes, async () => {
		const { inbound_webhook_url: url } = await assistantRecord(sandbox.alice, ASSISTANT);
		return { url: String(url) };
	});
	return { ...publisher, webhook };
}
