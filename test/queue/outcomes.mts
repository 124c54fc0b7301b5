import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import type { QueueEnvironment } from './environment.mts';
import type { Events } from './events.mts';
import type { InjectedFaults } from './faultInjection.mts';
import { executionsOn } from './topology.mts';

/** How many executions a worker has at once, with the settings of docs/scaling.md. */
const AT_ONCE = 10;
const KILLED_WORKERS = 2;

/** Checks the outcome of every event: only what the killed workers had is lost, and nothing ran twice. */
export async function checkOutcomes(
	{ check, require }: Checks,
	{ service, metrics }: QueueEnvironment,
	events: Events,
	{ running, workers }: InjectedFaults,
	total: number,
): Promise<void> {
	const executions = await events.executions();
	const byCall = Map.groupBy(executions, ({ callId }) => callId);
	const lost = executions.filter(({ status }) => status !== 'success');
	const smsCounts = await events.smsCounts();

	await require('n8n has accepted each event, and runs it exactly once, or refused it, and runs it never', async () => {
		const deliveries = await service.control.deliveries();
		assert.equal(deliveries.length, total);
		const accepted = deliveries.filter(({ state }) => state === 'delivered');
		const refused = deliveries.filter(({ state }) => state === 'failed');
		assert.equal(accepted.length + refused.length, total);
		assert.ok(refused.length > 0, 'No event arrived while the webhook process restarted.');
		const attempts = accepted.flatMap((delivery) => delivery.attempts);
		assert.deepEqual([...new Set(attempts.map(({ status }) => status))], [200]);
		metrics.set('events accepted', `${accepted.length} of ${total}`);
		metrics.set('events refused', `${refused.length}, while no webhook process was ready`);

		const executionCount = (callId: number): number => byCall.get(callId)?.length ?? 0;
		assertNone(accepted.filter((delivery) => executionCount(delivery.call_id) !== 1));
		assertNone(refused.filter((delivery) => executionCount(delivery.call_id) !== 0));
		assert.equal(executions.length, accepted.length);
	});

	await check('only what the killed workers had is lost, and no execution ran twice', async () => {
		const started = await executionsOn(workers, 'started');
		assert.equal(new Set(started).size, started.length);
		const ids = lost.map(({ id }) => id);
		assertNone(running.filter((id) => !ids.includes(id)));
		// Taken from the queue, but not started.
		const others = ids.filter((id) => !running.includes(id));
		assertNone(others.filter((id) => started.includes(id)));
		assert.ok(ids.length <= KILLED_WORKERS * AT_ONCE, `${ids.length} executions are lost.`);
		metrics.set(
			'executions lost',
			`${running.length} running, ${others.length} taken from the queue but not started`,
		);
	});

	await check('every other event has exactly one SMS, and lost events have at most one', () => {
		const succeeded = executions.filter(({ status }) => status === 'success');
		assertNone(succeeded.filter(({ callId = 0 }) => smsCounts.get(callId) !== 1));
		assertNone([...smsCounts.values()].filter((count) => count !== 1));
		const lostAfterSms = lost.filter(({ callId = 0 }) => smsCounts.has(callId));
		metrics.set(
			'lost executions whose SMS had gone out',
			`${lostAfterSms.length} of ${lost.length}`,
		);
	});
}

function assertNone(items: unknown[]): void {
	assert.deepEqual(items, []);
}
