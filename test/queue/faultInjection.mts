import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import type { Events, WorkerKill } from './events.mts';
import { inSeconds } from './metrics.mts';
import type { QueueEnvironment } from './publish.mts';
import { executionsOn, type QueueProcess } from './topology.mts';

/** The last resort: an idle machine needs a tenth of it. */
const LIMIT_MS = 15 * 60_000;
const DRAIN_LIMIT_MS = 5 * 60_000;

/** The service delays each SMS, so that executions are running when a worker is killed. */
const SMS_MS = 500;

/** The injected faults, and the workers. */
export interface InjectedFaults {
	/** the kill after which the webhook process that had accepted the events was ended, too */
	orphaning: WorkerKill;
	/** the kill while the webhook process kept running */
	watched: WorkerKill;
	/** when the second kill was, in milliseconds since 1970 */
	killedAt: number;
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
	/** The number of executions that a worker has finished after `more` others. */
	const countAfter = async (worker: QueueProcess, more: number): Promise<number> =>
		(await worker.finished()).length + more;
	const untilDrained = async (workers: QueueProcess[]): Promise<void> => {
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
			await events.deliver(share(25));
			const states = new Set((await events.deliveries()).map(({ state }) => state));
			assert.deepEqual([...states], ['delivered']);
			await untilDrained([first, second]);
			const duration = performance.now() - begin;
			assert.equal((await events.smsCounts()).size, share(25));
			const rate = (share(25) / (duration / 1000)).toFixed(1);
			metrics.record(
				`${share(25)} events, without faults`,
				`${inSeconds(duration)}, ${rate} per second`,
			);
		},
		LIMIT_MS,
	);

	const { orphaning, third } =
		await require(`${share(15)} events while a worker is killed and the webhook process ended, and both are replaced`, async () => {
			const after = await countAfter(first, share(2));
			const [orphaning] = await Promise.all([events.kill(first, after), events.deliver(share(8))]);
			const begin = performance.now();
			await Promise.all([webhook.stop(), events.deliver(share(5))]);
			assert.equal(webhook.wasForced(), false, 'The webhook process had to be killed.');
			metrics.record('webhook process, shutdown', inSeconds(performance.now() - begin));
			const [third] = await Promise.all([
				topology.add('Worker'),
				topology.add('Webhook process'),
				events.deliver(share(2)),
			]);
			metrics.record('time without a webhook process', inSeconds(performance.now() - begin));
			return { orphaning, third };
		}, LIMIT_MS);

	const { watched, killedAt, fourth } =
		await require(`${share(30)} events while the other worker is killed, and replaced`, async () => {
			const after = await countAfter(second, share(5));
			const [, faults] = await Promise.all([
				events.deliver(share(30)),
				(async () => {
					const watched = await events.kill(second, after);
					const killedAt = Date.now();
					return { watched, killedAt, fourth: await topology.add('Worker') };
				})(),
			]);
			return faults;
		}, LIMIT_MS);
	const survivors = [third, fourth];
	metrics.record(
		'executions running on the killed workers',
		`${orphaning.running.length} and ${watched.running.length}`,
	);

	await check(
		`${share(30)} more events: n8n accepts all, and runs all`,
		async () => {
			const before = (await events.deliveries()).length;
			await events.deliver(total - before);
			const states = new Set((await events.deliveries()).slice(before).map(({ state }) => state));
			assert.deepEqual([...states], ['delivered']);
			await untilDrained(survivors);
		},
		LIMIT_MS,
	);
	return { orphaning, watched, killedAt, survivors, workers: [first, second, ...survivors] };
}
