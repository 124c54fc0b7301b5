import { EventSender } from './eventSender.mts';
import { publishReceivers } from './receivers.mts';
import type { Round } from './round.mts';

/** n8n calls it experimental: an isolate is taken only when an expression is evaluated (n8n 2.41). */
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** Events to this package's trigger beside other triggers, with n8n's default settings and without. */
export async function deliveries(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	await environment.restart();
	const receivers = await publishReceivers(environment);
	const { own, minimal, webhook } = receivers;
	const sender = new EventSender(round, receivers);

	const deliverToEach = async (count: number, settings: string) => ({
		own: await sender.deliver(count, own, settings),
		minimal: await sender.deliver(count, minimal, settings),
		webhook: await sender.deliver(count, webhook, settings),
	});

	await sender.warmUp();
	const byDefault = await deliverToEach(quick ? 50 : 500, "n8n's default settings");
	results.expect({
		column: 'rate',
		subject: byDefault.own,
		beside: byDefault.minimal,
		by: 'ratio',
		bound: { atLeast: 0.93 },
	});

	await environment.restart(LAZY);
	await sender.warmUp();
	const many = quick ? 50 : 2_000;
	const lazy = await deliverToEach(many, 'lazy isolates');
	results.expect({
		column: 'rate',
		subject: lazy.own,
		beside: lazy.webhook,
		by: 'ratio',
		bound: { decision: 5 },
	});
	const forged = await sender.forge(many, own, 'lazy isolates');
	results.expect({
		column: 'rate',
		subject: forged,
		beside: lazy.own,
		by: 'ratio',
		bound: { decision: 5 },
	});
	await receivers.unpublish();
}
