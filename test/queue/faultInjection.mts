import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import type { Cut, Events } from './events.mts';
import { inSeconds } from './metrics.mts';
import type { Parts } from './published.mts';
import type { Process } from './topology.mts';

/** The last resort; an idle machine takes a tenth of it. */
const LIMIT_MS = 15 * 60_000;
const DRAIN_LIMIT_MS = 5 * 60_000;

/** An SMS takes the service as long, so that executions are running when a worker is killed. */
const SMS_MS = 500;

/** What the kills cut, and who is left. */
export interface Losses {
	/** cut while the webhook process that had taken the events was ended, too */
	orphaned: Cut;
	/** cut while the webhook process lived on */
	watched: Cut;
	/** when the second kill was, in milliseconds since 1970 */
	killedAt: number;
	/** the workers at the end */
	survivors: Process[];
	/** every worker there has been */
	workers: Process[];
}

/** Has all events happen while workers are killed and the webhook process is restarted. */
export async function disturbances(
	{ check, require }: Checks,
	{ topology, service, figures }: Parts,
	events: Events,
	total: number,
): Promise<Losses> {
	const { webhook, redis } = topology;
	const [first, second] = topology.workers;
	const part = (percent: number): number => Math.round((total * percent) / 100);
	/** A worker has done that many more. */
	const further = async (worker: Process, count: number): Promise<number> =>
		(await worker.ended()).length + count;
	const drained = async (workers: Process[]): Promise<void> => {
		await waitFor('the queue to be empty', DRAIN_LIMIT_MS, async () => {
			const running = await Promise.all(workers.map(async (worker) => await worker.running()));
			return (await redis.waiting()) === 0 && running.flat().length === 0 ? true : undefined;
		});
	};
	await service.control.fault({ operation: 'sendSms', delay_ms: SMS_MS, times: total });

	await check(
		`${part(25)} events with nothing in their way: all are taken, and answered by an SMS`,
		async () => {
			const begin = performance.now();
			await events.deliver(part(25));
			const states = new Set((await events.deliveries()).map(({ state }) => state));
			assert.deepEqual([...states], ['delivered']);
			await drained([first, second]);
			const took = performance.now() - begin;
			assert.equal((await events.sent()).size, part(25));
			const rate = (part(25) / (took / 1000)).toFixed(1);
			figures.note(`${part(25)} events, undisturbed`, `${inSeconds(took)}, ${rate} per second`);
		},
		LIMIT_MS,
	);

	const { orphaned, third } =
		await require(`${part(15)} events while a worker is killed, the webhook process ended, both replaced`, async () => {
			const after = await further(first, part(2));
			const [orphaned] = await Promise.all([events.kill(first, after), events.deliver(part(8))]);
			const begin = performance.now();
			await Promise.all([webhook.stop(), events.deliver(part(5))]);
			assert.equal(webhook.wasForced(), false, 'The webhook process did not end by itself.');
			figures.note('webhook process, polite end', inSeconds(performance.now() - begin));
			const [third] = await Promise.all([
				topology.add('Worker'),
				topology.add('Webhook process'),
				events.deliver(part(2)),
			]);
			figures.note('no webhook process ready for', inSeconds(performance.now() - begin));
			return { orphaned, third };
		}, LIMIT_MS);

	const { watched, killedAt, fourth } =
		await require(`${part(30)} events while the other worker is killed, and replaced`, async () => {
			const after = await further(second, part(5));
			const [, outcome] = await Promise.all([
				events.deliver(part(30)),
				(async () => {
					const watched = await events.kill(second, after);
					const killedAt = Date.now();
					return { watched, killedAt, fourth: await topology.add('Worker') };
				})(),
			]);
			return outcome;
		}, LIMIT_MS);
	const survivors = [third, fourth];
	figures.note(
		'executions running on the killed workers',
		`${orphaned.running.length} and ${watched.running.length}`,
	);

	await check(
		`${part(30)} events more: all are taken, and nothing waits in the queue`,
		async () => {
			const before = (await events.deliveries()).length;
			await events.deliver(total - before);
			const states = new Set((await events.deliveries()).slice(before).map(({ state }) => state));
			assert.deepEqual([...states], ['delivered']);
			await drained(survivors);
		},
		LIMIT_MS,
	);
	return { orphaned, watched, killedAt, survivors, workers: [first, second, ...survivors] };
}
