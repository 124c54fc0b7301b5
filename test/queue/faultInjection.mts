import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import type { Events } from './events.mts';
import { inSeconds, type QueueEnvironment } from './environment.mts';
import { executionsOn, type QueueProcess } from './topology.mts';

/** The last resort: an idle machine needs a tenth of it. */
const LIMIT_MS = 15 * 60_000;
const DRAIN_LIMIT_MS = 5 * 60_000;

/** The service delays each SMS, so that executions are running when a worker is killed. */
const SMS_MS = 500;

/** What the injected faults have left. */
export interface InjectedFaults {
	/** the executions that the killed workers were running */
	running: string[];
	/** the workers at the end */
	survivors: QueueProcess[];
	/** all workers, with those that were killed */
	workers: QueueProcess[];
}

/** Delivers all events while it kills workers and restarts the webhook process. */
export async function injectFaults(
	{ check, require }: Checks,
	{ topology, service, metrics }: QueueEnvironment,
	events: Events,
	total: number,
): Promise<InjectedFaults> {
	const { webhook, redis } = topology;
	const [first, second] = topology.workers;
	const share = (percent: number): number => Math.round((total * percent) / 100);
	/** Kills a worker after it has finished `more` further executions. */
	const kill = async (worker: QueueProcess, more: number): Promise<string[]> =>
		await events.kill(worker, (await worker.finished()).length + more);
	/** Delivers events, all of which n8n accepts, and waits until no worker has anything to do. */
	const deliverAll = async (count: number, workers: QueueProcess[]): Promise<void> => {
		const before = (await service.control.deliveries()).length;
		await events.deliver(count);
		const added = (await service.control.deliveries()).slice(before);
		assert.deepEqual([...new Set(added.map(({ state }) => state))], ['delivered']);
		await waitFor('the queue to be empty', DRAIN_LIMIT_MS, async () => {
			const running = await executionsOn(workers, 'running');
			return (await redis.waiting()) === 0 && running.length === 0 ? true : undefined;
		});
	};
	await service.control.fault({ operation: 'sendSms', delay_ms: SMS_MS, times: total });

	await check(
		`${share(25)} events without faults: n8n accepts all, and sends an SMS for each`,
		async () => {
			const begin = performance.now();
			await deliverAll(share(25), [first, second]);
			metrics.set(`${share(25)} events, without faults`, inSeconds(begin));
			assert.equal((await events.smsCounts()).size, share(25));
		},
		LIMIT_MS,
	);

	const { orphaned, third } =
		await require(`${share(15)} events while a worker is killed and the webhook process ended, and both are replaced`, async () => {
			const [orphaned] = await Promise.all([kill(first, share(2)), events.deliver(share(8))]);
			const begin = performance.now();
			await Promise.all([webhook.stop(), events.deliver(share(5))]);
			assert.equal(webhook.wasForced(), false, 'The webhook process had to be killed.');
			metrics.set('webhook process, shutdown', inSeconds(begin));
			const [third] = await Promise.all([
				topology.add('Worker'),
				topology.add('Webhook process'),
				events.deliver(share(2)),
			]);
			metrics.set('time without a webhook process', inSeconds(begin));
			return { orphaned, third };
		}, LIMIT_MS);

	const { watched, fourth } =
		await require(`${share(30)} events while the other worker is killed, and replaced`, async () => {
			const delivering = events.deliver(share(30));
			// If the kill fails first, a later rejection would be unhandled.
			delivering.catch(() => {});
			const watched = await kill(second, share(5));
			const fourth = await topology.add('Worker');
			await delivering;
			return { watched, fourth };
		}, LIMIT_MS);

	const survivors = [third, fourth];
	await check(
		`${share(30)} more events: n8n accepts all, and runs all`,
		async () => {
			await deliverAll(total - (await service.control.deliveries()).length, survivors);
		},
		LIMIT_MS,
	);
	return {
		running: [...orphaned, ...watched],
		survivors,
		workers: [first, second, ...survivors],
	};
}
