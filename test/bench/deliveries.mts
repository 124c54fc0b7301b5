import { randomUUID } from 'node:crypto';

import { A_CALL, assistantRecord } from '../../sandbox/test/support/calls.mts';
import { node, trigger } from '../support/workflows.mts';
import { counted } from './lists.mts';
import { measureRequests, openPublisher, warmUp } from './publishedWebhooks.mts';
import { atLeastTimes } from './results.mts';
import type { BenchEnvironment, Round } from './round.mts';

/** Experimental: n8n builds an isolate only when it evaluates an expression (n8n 2.41). */
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** One of Alice's. */
const ASSISTANT = 1;
const IN_FLIGHT = 10;
const WARM_UP = 50;

/** Delivers events to this package's trigger and to other triggers, with two settings of n8n. */
export async function deliveries(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	await environment.restart();
	const { own, minimal, webhook, event, unpublishAll } = await publishTriggers(environment);
	let lastId = 1_000_000;
	const events = (count: number) =>
		Array.from({ length: count }, () => ({ ...event, id: (lastId += 1) }));
	/** Each trigger is first, second and last once, because n8n's speed changes while it runs. */
	const deliverInTurns = async (settings: string, count: number): Promise<string> => {
		await warmUp(environment, [own, minimal, webhook], events(quick ? 2 : WARM_UP));
		const work = `${counted(count)} deliveries, ${settings}`;
		const turns = [own, minimal, webhook, minimal, webhook, own, webhook, own, minimal];
		for (const target of turns) {
			await measureRequests(round, target, {
				work,
				claim: 'each is accepted and has one execution',
				bodies: events(count),
				inFlight: IN_FLIGHT,
				status: 200,
				executions: count,
			});
		}
		return work;
	};

	const byDefault = await deliverInTurns("n8n's default settings", quick ? 20 : 200);
	const smallest = { work: byDefault, by: minimal.by };
	results.expect('rate', { work: byDefault, by: own.by }, atLeastTimes(0.93), smallest);
	await environment.restart(LAZY);
	// docs/decisions/0005 explains why these two goals are missed.
	const work = await deliverInTurns('lazy isolates', quick ? 20 : 600);
	const lazy = { work, by: own.by };
	results.expect('rate', lazy, atLeastTimes(0.85), { work, by: webhook.by });
	const url = new URL(own.url);
	url.searchParams.set('token', 'f'.repeat(url.searchParams.get('token')?.length ?? 0));
	const forged = events(quick ? 50 : 2_000);
	const refused = await measureRequests(
		round,
		{ ...own, url: url.href },
		{
			work: `${counted(forged.length)} deliveries with a forged token, lazy isolates`,
			claim: 'none has an execution',
			bodies: forged,
			inFlight: IN_FLIGHT,
			status: 401,
			executions: 0,
		},
	);
	results.expect('rate', refused, atLeastTimes(3), lazy);
	await unpublishAll();
}

/** Publishes this package's trigger, n8n's Webhook node and the minimal trigger, and gets an event for them. */
async function publishTriggers(environment: BenchEnvironment) {
	const publisher = await openPublisher(environment);
	const { sandbox, credential, publish, publishWebhookNode } = publisher;
	const ownNode = trigger('callCompleted', ASSISTANT, credential);
	const own = await publish('this node', [ownNode], async () => ({
		url: String((await assistantRecord(sandbox.alice, ASSISTANT)).webhook_url),
	}));
	await sandbox.control.outbound({ assistant_id: ASSISTANT, to: '+4915112345690' });
	await sandbox.control.advance(A_CALL);
	const [delivery] = await sandbox.control.deliveries();
	if (delivery?.state !== 'delivered') throw new Error('The sandbox delivered no event to n8n.');

	const webhookId = randomUUID();
	const minimalNode = node('Minimal', 'n8n-nodes-minimal-trigger.minimalTrigger', 2, {});
	const minimal = await publish('minimal trigger', [{ ...minimalNode, webhookId }], () => ({
		url: `${environment.url}/webhook/${webhookId}/webhook`,
	}));
	const answersAtOnce = { responseMode: 'onReceived', options: { noResponseBody: true } };
	const webhook = await publishWebhookNode('Webhook node', answersAtOnce);
	return { ...publisher, own, minimal, webhook, event: delivery.body };
}
