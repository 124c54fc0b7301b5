import assert from 'node:assert/strict';

import type { Delivery } from '../../sandbox/client.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import type { InjectedFaults } from './faultInjection.mts';
import type { Events } from './events.mts';
import { inSeconds } from './metrics.mts';
import type { QueueEnvironment } from './publish.mts';
import { executionsOn } from './topology.mts';

/** n8n notices after 60 to 90 s that a worker has ended, and waits 30 s more (n8n 2.41). */
const NOTICE_LIMIT_MS = 240_000;
const RESTART_LIMIT_MS = 300_000;
const MARK_LIMIT_MS = 60_000;

/** Checks the outcome of every event: executions of killed workers fail as documented, all others succeed. */
export async function checkOutcomes(
	{ check }: Checks,
	{ topology, metrics }: QueueEnvironment,
	events: Events,
	{ orphaning, watched, killedAt, workers }: InjectedFaults,
	total: number,
): Promise<void> {
	await check(
		'n8n declares the executions of a killed worker failed while their webhook process runs',
		async () => {
			await waitFor('n8n to notice', NOTICE_LIMIT_MS, async () => {
				const unfinished = (await events.unfinished()).map(({ id }) => id);
				return unfinished.every((id) => orphaning.unfinished.includes(id)) ? true : undefined;
			});
			const failed = (await events.executions()).filter(({ id }) => watched.running.includes(id));
			for (const { status, error } of failed) {
				assert.equal(status, 'error');
				assert.match(error ?? '', /will no longer retry/);
			}
			const ends = failed.map(({ stoppedAt }) => Date.parse(stoppedAt ?? ''));
			metrics.record('declared failed after the kill', inSeconds(Math.max(...ends) - killedAt));
		},
		2 * NOTICE_LIMIT_MS,
	);

	await check(
		'they stay unfinished after their webhook process has ended, and main marks them as crashed when it starts',
		async () => {
			const unfinished = (await events.unfinished()).map(({ id }) => id);
			assertNone(orphaning.running.filter((id) => !unfinished.includes(id)));
			await topology.restartMain();
			const begin = performance.now();
			await waitFor('main to mark them as crashed', MARK_LIMIT_MS, async () =>
				(await events.unfinished()).length === 0 ? true : undefined,
			);
			metrics.record(
				'marked as crashed after the start of main',
				inSeconds(performance.now() - begin),
			);
			const crashed = (await events.executions()).filter(({ status }) => status === 'crashed');
			assert.deepEqual(
				crashed.map(({ id }) => id),
				unfinished,
			);
		},
		RESTART_LIMIT_MS,
	);

	const outcomes = readOutcomes(events);

	await check('n8n has accepted or refused every event', async () => {
		const { deliveries, accepted, refused } = await outcomes;
		assert.equal(deliveries.length, total);
		assert.equal(accepted.length + refused.length, total);
		assert.ok(refused.length > 0, 'No event arrived while the webhook process restarted.');
		const statuses = new Set(
			accepted.flatMap(({ attempts }) => attempts).map(({ status }) => status),
		);
		assert.deepEqual([...statuses], [200]);
		metrics.record('events accepted', `${accepted.length} of ${total}`);
		metrics.record('events refused', `${refused.length}, while no webhook process was ready`);
	});

	await check('every accepted event has exactly one execution', async () => {
		const { accepted, executions, executionCount } = await outcomes;
		assertNone(accepted.filter((delivery) => executionCount(delivery) !== 1));
		assert.equal(executions.length, accepted.length);
	});

	await check('no refused event has an execution', async () => {
		const { refused, executionCount } = await outcomes;
		assertNone(refused.filter((delivery) => executionCount(delivery) !== 0));
	});

	await check('the lost executions are exactly those of the killed workers', async () => {
		const { lost } = await outcomes;
		const started = await executionsOn(workers, 'started');
		const running = [...orphaning.running, ...watched.running];
		const ids = lost.map(({ id }) => id);
		assertNone(running.filter((id) => !ids.includes(id)));
		// Taken from the queue, but not started.
		const others = ids.filter((id) => !running.includes(id));
		const active = [...orphaning.active, ...watched.active];
		assertNone(others.filter((id) => !active.includes(id) || started.includes(id)));
		metrics.record(
			'executions lost',
			`${running.length} running, ${others.length} taken from the queue but not started`,
		);
	});

	await check('no execution ran twice', async () => {
		const started = await executionsOn(workers, 'started');
		assert.equal(new Set(started).size, started.length);
	});

	await check(
		'every other event has exactly one SMS, and lost events have at most one',
		async () => {
			const { executions, lost, smsCounts } = await outcomes;
			const withoutSms = executions.filter(
				({ status, callId }) =>
					status === 'success' && (callId === undefined || smsCounts.get(callId) !== 1),
			);
			assertNone(withoutSms);
			assertNone([...smsCounts.values()].filter((count) => count !== 1));
			const lostAfterSms = lost.filter(
				({ callId }) => callId !== undefined && smsCounts.has(callId),
			);
			metrics.record(
				'lost executions whose SMS had gone out',
				`${lostAfterSms.length} of ${lost.length}`,
			);
		},
	);
}

function assertNone(items: unknown[]): void {
	assert.deepEqual(items, []);
}

/** Reads the deliveries, executions and SMS of all events at the end. */
async function readOutcomes(events: Events) {
	const deliveries = await events.deliveries();
	const executions = await events.executions();
	const byCall = Map.groupBy(executions, ({ callId }) => callId);
	return {
		deliveries,
		accepted: deliveries.filter(({ state }) => state === 'delivered'),
		refused: deliveries.filter(({ state }) => state === 'failed'),
		executions,
		lost: executions.filter(({ status }) => status !== 'success'),
		/** how many executions the event of a delivery has */
		executionCount: ({ call_id: callId }: Delivery): number => byCall.get(callId)?.length ?? 0,
		smsCounts: await events.smsCounts(),
	};
}
